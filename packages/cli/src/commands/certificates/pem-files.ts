import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../../errors/exit.ts';

/** The arguments of a certificate that is handed in: its key is read from a file, never from an argument. */
export const PEM_FILES = {
  certificate: { description: 'a file with the chain, PEM', completes: 'file' },
  key: { description: 'a file with the private key, PEM', completes: 'file' },
} as const;

/** @throws CliError usage when one cannot be read */
export async function pemFiles(
  { certificate, key }: { certificate: string; key: string },
  cwd: string,
): Promise<{ certificate: string; key: string }> {
  return { certificate: await read(certificate, cwd), key: await read(key, cwd) };
}

async function read(file: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError('usage', `${file} cannot be read (${code}).`, { cause: error });
  }
}
