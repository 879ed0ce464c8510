/**
 * Writes downloads to files. A download is first written to a temporary file, which is then renamed. Therefore, the
 * file with the final name is always complete.
 */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../errors/exit.ts';

/**
 * Matches safe file names from a server's response. Paths, hidden files and names that look like command-line options
 * are not safe.
 */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/**
 * Returns the file name from the header `Content-Disposition`. Returns `otherwise` if the header contains no safe file
 * name.
 */
export function suggestedName(headers: Headers, otherwise: string): string {
  const [, name = ''] = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return PLAIN_NAME.test(name) ? name : otherwise;
}

/**
 * Writes a stream to a file with mode 0600, and returns the number of bytes.
 * @throws CliError with exit `failed` if the stream ends early
 */
export async function writeWhole(body: ReadableStream<Uint8Array>, file: string, signal: AbortSignal): Promise<number> {
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  // Without `flush`, a crash of the machine after the rename could leave an incomplete file with the final name.
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

/**
 * Writes a download to stdout.
 * @throws CliError with exit `failed` if the stream ends early, so that scripts can detect the failure
 */
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
  const why = isOfFile ? `The file cannot be written: ${message}` : 'The download was interrupted';
  return new CliError('failed', `${why}. ${consequence}. Try again.`, { cause });
}
