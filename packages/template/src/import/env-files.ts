/** Adds the variables of the files in `env_file` to the environment of a Compose service. */
import { envFilesOf, type LocalFiles, type LocalRoom, relativePath } from './local-files.ts';
import type { Teller } from './notes.ts';
import { pairsOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

interface EnvFileSources {
  /** Files in the folder of the Compose file. */
  files: LocalFiles;
  room: LocalRoom;
  variables: Variables;
}

/**
 * Returns a Compose service whose `env_file` is replaced. The variables from these files are added to `environment`,
 * but existing variables have priority. Adds a note for each missing file.
 */
export function withEnvFiles(values: Values, { files, room, variables }: EnvFileSources, report: Teller): Values {
  if (values.env_file === undefined || values.env_file === null) return values;
  const found = new Map<string, string>();
  for (const { path: written, isRequired } of envFilesOf(values, variables)) {
    const path = relativePath(written);
    const shown = written.slice(0, 80);
    const content = path !== null && Object.hasOwn(files, path) ? (files[path] ?? '') : null;
    if (content !== null && room.take([content])) {
      for (const [name, value] of parseEnvFile(content)) found.set(name, value);
      report.carried('env_file', `The variables of ${shown} are in \`env\`.`);
    } else if (isRequired)
      report.leftOut('env_file', `${shown} was not read. Add the variables that the app needs to \`env\`.`);
    else report.changed('env_file', `${shown} was not read. The service does not require this file.`);
  }
  const own = pairsOf(values.environment).filter(([name, value]) => value !== null || !found.has(name));
  for (const [name] of own) found.delete(name);
  const { env_file: _, ...rest } = values;
  const lines = [...found, ...own].map(([name, value]) => (value === null ? name : `${name}=${value}`));
  return { ...rest, ...(lines.length > 0 && { environment: lines }) };
}

/** Matches one variable: `NAME=value`, with an optional `export`. A quoted value may have several lines. */
const LINE = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*[=:][ \t]*(?:"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|([^\r\n]*))/gm;
const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

/** Parses a file with environment variables like Compose. In single quotes, Compose does not replace variables. */
export function parseEnvFile(text: string): [name: string, value: string][] {
  return Array.from(text.replace(/^\ufeff/, '').matchAll(LINE), ([, name = '', double, single, plain = '']) => {
    if (double !== undefined) return [name, double.replaceAll(/\\(.)/g, (_, one: string) => ESCAPES[one] ?? one)];
    if (single !== undefined) return [name, single.replaceAll('$', '$$$$')];
    return [name, plain.replace(/(?:^|\s)#.*$/, '').trim()];
  });
}
