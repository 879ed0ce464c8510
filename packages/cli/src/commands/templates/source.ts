import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TemplateSource } from '@davit/api';
import { CliError } from '../../errors/exit.ts';

/** Matches paths of template files. An argument such as `owner/name` is not a path, but a template in the catalog. */
const PATH = /^[./~]|\.ya?ml$/;

/**
 * Reads a template from a Git URL or a local file. Returns `null` for a template in the catalog, such as `owner/name`.
 * @throws CliError with exit `usage` if the file cannot be read
 */
export async function readSource(
  text: string,
  { ref, cwd }: { ref: string | undefined; cwd: string },
): Promise<TemplateSource | null> {
  if (/^https?:\/\//.test(text)) return { repository: text, ref: ref ?? 'HEAD' };
  if (!PATH.test(text)) return null;
  return { file: await readTemplate(text, cwd) };
}

/** @throws CliError with exit `usage` if the file cannot be read */
export async function readTemplate(file: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new CliError('usage', `${file} cannot be read.`, { cause });
  }
}
