import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { TEMPLATE_FILE_BYTES } from '@davit/api';
import { refusedFile } from '../davit-yaml/refuse.ts';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';

/** Matches file names of Compose files. The name may have a prefix, such as in `staging.compose.yaml`. */
const COMPOSE_NAME = /^([^/]*[.-])?(docker-)?compose([.-][^/]*)?\.ya?ml$/;
/** Matches all possible file names. A file whose name does not match `COMPOSE_NAME` must have the key `services`. */
export const YAML_NAME = /^[^/]+\.ya?ml$/;
/** Matches the key `services` at the start of a line. A davit.yaml never contains this key. */
const SERVICES = /^\ufeff?(?:\{\s*)?["']?services["']?\s*:/m;

export interface ComposeFile {
  /** Path of the Compose file as the user entered it. */
  path: string;
  text: string;
  /** Name of the folder that contains the Compose file. */
  folder: string;
  /**
   * Map from relative path to content of a text file. The services of the Compose file mount these files or read
   * variables from them.
   */
  files: Readonly<Record<string, string>>;
}

/**
 * Reads a Compose file. Returns `null` if the file has neither the name nor the content of a Compose file.
 * @throws CliError with exit `usage` if the file does not exist, cannot be read, or is not valid YAML
 */
export async function composeFile(
  { world, out }: Pick<Context, 'world' | 'out'>,
  path: string | undefined,
): Promise<ComposeFile | null> {
  if (path === undefined) return null;
  const absolute = resolve(world.cwd, path);
  const text = await read(absolute, path);
  if (!isCompose(basename(path), text)) return null;
  await demandSyntax({ out }, path, text);
  const { localFilesBeside } = await import('@davit/template/command');
  const files = await localFilesBeside(dirname(absolute), text);
  return { path, text, folder: basename(dirname(absolute)), files };
}

function isCompose(name: string, text: string): boolean {
  return COMPOSE_NAME.test(name) || (YAML_NAME.test(name) && SERVICES.test(text));
}

/** Checks the syntax of the file. If the file is larger than a Compose file can be, the instance refuses it. */
async function demandSyntax(ctx: Pick<Context, 'out'>, path: string, text: string): Promise<void> {
  if (Buffer.byteLength(text) > TEMPLATE_FILE_BYTES) return;
  const { parseSyntax } = await import('../davit-yaml/syntax.ts');
  const { mistakes } = parseSyntax(text, { uniqueKeys: false });
  if (mistakes.length > 0) throw refusedFile(ctx, path, text, mistakes);
}

async function read(absolute: string, path: string): Promise<string> {
  try {
    return await readFile(absolute, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message =
      code === 'ENOENT' ? `${path} not found. Check the path in --file.` : `${path} cannot be read (${code}).`;
    throw new CliError('usage', message, { cause });
  }
}
