import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { CliError } from '../errors/exit.ts';
import type { Runtime } from '../process/runtime.ts';

/**
 * Reads a file as UTF-8 text. The path `-` means stdin. The file can also be a pipe.
 * @param maxBytes maximum size of the file in bytes
 * @throws CliError with exit `usage` if the file cannot be read, is too large, or is not UTF-8 text
 */
export async function readBounded(path: string, maxBytes: number, { cwd, stdin }: Runtime): Promise<string> {
  const name = path === '-' ? 'stdin' : path;
  const bytes = await bytesOf(path === '-' ? stdin : createReadStream(resolve(cwd, path)), name, maxBytes);
  try {
    // `TextDecoder` also removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CliError('usage', `${name} is not a text file in UTF-8. Convert the file to UTF-8.`, { cause });
  }
}

async function bytesOf(stream: Readable, name: string, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of stream) {
      const buffer = Buffer.from(piece);
      size += buffer.length;
      if (size > maxBytes) break;
      pieces.push(buffer);
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CliError('usage', `Cannot read ${name} (${code}). Check the path and the permissions.`, { cause });
  }
  if (size > maxBytes) {
    throw new CliError('usage', `${name} is larger than ${maxBytes / 1_048_576} MiB. Use a smaller file.`);
  }
  return Buffer.concat(pieces);
}
