import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TemplateSource } from '@davit/api';
import { CliError } from '../../errors/exit.ts';

/** A file is named with a path, so that it is no template of the catalog by mistake. */
const PATH = /^[./~]|\.ya?ml$/;

/**
 * Where a template comes from that is not the catalog's.
 * @returns null: it is named as the catalog's are
 * @throws CliError usage for a file that cannot be read
 */
export async function readSource(
  text: string,
  { ref, cwd }: { ref: string | undefined; cwd: string },
): Promise<TemplateSource | null> {
  if (/^https?:\/\//.test(text)) return { repository: text, ref: ref ?? 'HEAD' };
  if (!PATH.test(text)) return null;
  return { file: await readTemplate(text, cwd) };
}

/** @throws CliError usage */
export async function readTemplate(file: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new CliError('usage', `${file} cannot be read.`, { cause });
  }
}
