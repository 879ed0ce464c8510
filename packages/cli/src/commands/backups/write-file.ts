/** What is downloaded goes to a file of another name first: under its own there is all of it, or nothing. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../../errors/exit.ts';

/** What a server may call a file that lands in somebody's folder: no path, no hidden one, no option. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** The name that the answer suggests. */
export function suggestedName(headers: Headers, otherwise: string): string {
  const [, name = ''] = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return PLAIN_NAME.test(name) ? name : otherwise;
}

/** @throws CliError conflict when there is a file of that name */
export async function demandNew(file: string, { force }: { force: boolean }): Promise<void> {
  if (force || !(await isThere(file))) return;
  throw new CliError('conflict', `${file} is there already: name another file, or say --force to replace it.`);
}

/**
 * Writes all of a stream to a file that only its owner reads, or leaves nothing.
 * @returns how many bytes
 * @throws CliError failed when it breaks off
 */
export async function writeWhole(body: ReadableStream<Uint8Array>, file: string, signal: AbortSignal): Promise<number> {
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  // It is on the disk before it has its name: a machine that stops leaves no shorter one under it.
  const to = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(Readable.fromWeb(body), to, { signal });
    await rename(partial, file);
    return to.bytesWritten;
  } catch (cause) {
    await rm(partial, { force: true });
    throw signal.aborted ? cause : brokenOff(`Nothing is left in ${file}`, cause);
  }
}

/** The same to where another program reads it, which has to be told by the exit code that it has not all of it. */
export async function writeOut(body: ReadableStream<Uint8Array>, to: NodeJS.WritableStream, signal: AbortSignal) {
  try {
    await pipeline(Readable.fromWeb(body), to, { signal, end: false });
  } catch (cause) {
    throw signal.aborted ? cause : brokenOff('What was written is not all of it', cause);
  }
}

function brokenOff(consequence: string, cause: unknown): CliError {
  const { message, code } = cause as NodeJS.ErrnoException;
  const isOfFile = code !== undefined && /^E(NOSPC|ACCES|NOENT|NOTDIR|ISDIR|ROFS|DQUOT|PERM|IO|FBIG|EXIST)$/.test(code);
  const why = isOfFile ? `It cannot be written: ${message}` : 'It broke off before its end';
  return new CliError('failed', `${why}. ${consequence}: try again.`, { cause });
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // What cannot be looked at is told when it is written.
    return false;
  }
}
