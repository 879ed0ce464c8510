/**
 * Reads a Compose file with the YAML library and the rules of the Compose specification. It shares no code with the
 * importer, so that both do not make the same mistake.
 */
import { isScalar, parseDocument, visit } from 'yaml';

type Mapping = Record<string, unknown>;

export interface ComposeService {
  name: string;
  values: Mapping;
}

/** Character around the name of a variable without a default value. No Compose file contains this character. */
export const UNSET = '\ue010';

/** Returns the services of a Compose file. Returns `null` if the text has no services. */
export function readServices(text: string): ComposeService[] | null {
  const services = mappingOf(readRoot(text).services);
  const found = Object.entries(services).map(([name, values]) => ({ name, values: mappingOf(values) }));
  return found.length === 0 ? null : found;
}

/** Returns a Compose file with all scalars as text, or an empty mapping if it is not valid YAML. */
export function readRoot(text: string): Mapping {
  // The failsafe schema keeps `022` and `yes` as they are written.
  const document = parseDocument(text, { schema: 'failsafe', merge: true, uniqueKeys: false, logLevel: 'silent' });
  if (document.errors.length > 0) return {};
  visit(document, {
    Scalar(_key, node) {
      if (node.type === 'PLAIN' && /^(?:|~|null)$/i.test(node.source ?? '')) node.value = null;
    },
    Pair(_key, { key }) {
      if (isScalar(key) && key.value === null) key.value = '';
    },
  });
  return mappingOf(document.toJS({ maxAliasCount: 1_000 }));
}

export function mappingOf(value: unknown): Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Mapping) : {};
}

/** Returns a list as it is, and a single value as a list. */
export function itemsOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the pairs of a mapping, or of a list of `NAME=value`. The value is `null` if the file sets only the name. */
export function pairsOf(value: unknown): [name: string, value: string | null][] {
  if (!Array.isArray(value)) return Object.entries(mappingOf(value)).map(([name, one]) => [name, one as string | null]);
  return value
    .filter((line) => typeof line === 'string')
    .map((line) => {
      const [name = '', ...rest] = line.split('=');
      return [name, rest.length === 0 ? null : rest.join('=')];
    });
}

/**
 * Replaces the variables of a text like Compose does if no variable is set. A variable without a default becomes a mark
 * that contains its name.
 */
export function interpolated(text: string): string {
  let result = '';
  let rest = text;
  for (;;) {
    const dollar = rest.indexOf('$');
    if (dollar < 0) return result + rest;
    result += rest.slice(0, dollar);
    const [value, length] = variableAt(rest.slice(dollar));
    result += value;
    rest = rest.slice(dollar + length);
  }
}

/** Returns the value of the variable at the start of a text, and the length of the variable in the text. */
function variableAt(text: string): [value: string, length: number] {
  if (text.startsWith('$$')) return ['$', 2];
  const [bare, name = ''] = /^\$([A-Za-z_]\w*)/.exec(text) ?? [];
  if (bare !== undefined) return [`${UNSET}${name}${UNSET}`, bare.length];
  const length = braced(text);
  const [, inner = '', operator = '', argument = ''] =
    /^([A-Za-z_]\w*)(:?[-?+])?([\s\S]*)$/.exec(text.slice(2, Math.max(2, length - 1))) ?? [];
  if (length === 0 || inner === '' || (operator === '' && argument !== '')) return ['$', 1];
  if (operator.endsWith('-')) return [interpolated(argument), length];
  return [operator.endsWith('+') ? '' : `${UNSET}${inner}${UNSET}`, length];
}

/** Returns the length of `${…}` at the start of a text, with nested braces, or 0. */
function braced(text: string): number {
  if (!text.startsWith('${')) return 0;
  let depth = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return index + 1;
  }
  return 0;
}
