/** Downloads are first written to a temporary name, so that the final file is always complete. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../../errors/exit.ts';

/** Allowed file names from a server: no path, no hidden file and no option of a command. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** Returns the file name that the answer suggests. */
export function suggestedName(headers: Headers, otherwise: string): string {
  const [, name = ''] = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return PLAIN_NAME.test(name) ? name : otherwise;
}

/**
 * Checks that the file does not exist.
 * @throws CliError conflict if the file exists
 */
export async function demandNew(file: string, { force }: { force: boolean }): Promise<void> {
  if (force || !(await isThere(file))) return;
  throw new CliError('conflict', `${file} already exists. Name another file, or use --force to overwrite the file.`);
}

/**
 * Writes a complete stream to a file that only its owner can read. If this fails, no file remains.
 * @returns the number of bytes
 * @throws CliError failed if the stream breaks off
 */
export async function writeWhole(body: ReadableStream<Uint8Array>, file: string, signal: AbortSignal): Promise<number> {
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  // The file is flushed before it is renamed, so that a crash of the machine leaves no incomplete file under the final
  // name.
  const to = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(Readable.fromWeb(body), to, { signal });
    await rename(partial, file);
    return to.bytesWritten;
  } catch (cause) {
    await rm(partial, { force: true });
    throw signal.aborted ? cause : brokenOff(`${file} was not written`, cause);
  }
}

/** Writes a stream to stdout. If the stream breaks off, the exit code informs the reading program. */
export async function writeOut(body: ReadableStream<Uint8Array>, to: NodeJS.WritableStream, signal: AbortSignal) {
  try {
    await pipeline(Readable.fromWeb(body), to, { signal, end: false });
  } catch (cause) {
    throw signal.aborted ? cause : brokenOff('The output is incomplete', cause);
  }
}

function brokenOff(consequence: string, cause: unknown): CliError {
  const { message, code } = cause as NodeJS.ErrnoException;
  const isOfFile = code !== undefined && /^E(NOSPC|ACCES|NOENT|NOTDIR|ISDIR|ROFS|DQUOT|PERM|IO|FBIG|EXIST)$/.test(code);
  const why = isOfFile ? `The backup cannot be written: ${message}` : 'The download was interrupted';
  return new CliError('failed', `${why}. ${consequence}. Try again.`, { cause });
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // The later write reports the error of a file that cannot be checked.
    return false;
  }
}
