import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../../errors/exit.ts';

/**
 * Arguments of a certificate upload. The private key is read from a file, because other users of the machine can see
 * command-line arguments.
 */
export const PEM_FILES = {
  certificate: { description: 'path of a PEM file with the certificate chain', completes: 'file' },
  key: { description: 'path of a PEM file with the private key', completes: 'file' },
} as const;

/** @throws CliError with exit `usage` if a file cannot be read */
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
