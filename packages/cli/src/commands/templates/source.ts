import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TemplateSource } from '@davit/api';
import { CliError } from '../../errors/exit.ts';

/** A file needs a path or a YAML extension, so that it is not confused with a template of the catalog. */
const PATH = /^[./~]|\.ya?ml$/;

/**
 * Reads a template that is not from the catalog.
 * @returns `null` if the text names a template of the catalog
 * @throws CliError usage if the file cannot be read
 */
export async function readSource(
  text: string,
  { ref, cwd }: { ref: string | undefined; cwd: string },
): Promise<TemplateSource | null> {
  if (/^https?:\/\//.test(text)) return { repository: text, ref: ref ?? 'HEAD' };
  if (!PATH.test(text)) return null;
  return { file: await readTemplate(text, cwd) };
}

/**
 * Reads a template file.
 * @throws CliError usage
 */
export async function readTemplate(file: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new CliError('usage', `${file} cannot be read.`, { cause });
  }
}
