import type { Draft } from '../draft.ts';
import { visible } from '../report/visible.ts';
import { tagOfPlain } from '../yaml/scalar.ts';

/** YAML comments of a template: at the top of the file, and above each app, database and job. */
export interface Comments {
  head: readonly string[];
  of(kind: 'databases' | 'apps' | 'jobs', key: string): readonly string[];
}

type Plain = string | number | boolean | null | undefined | readonly Plain[] | { readonly [key: string]: Plain };

const LINE = 112;
/** Keys with short values. The import writes each of these values on one line, such as `{ a: 1 }`. */
const IN_ONE_LINE = new Set(['limits', 'depends_on', 'extensions', 'buckets', 'options']);

/**
 * Converts a template to YAML with comments. The keys have the order of the template format. Equal templates always
 * give the same YAML text.
 */
export function writeTemplate(draft: Draft, comments: Comments): string {
  const { inputs, databases, stores, apps, jobs, ...head } = draft;
  const lines = [...comment(comments.head, ''), ...mapping(head as unknown as Record<string, Plain>, '')];
  for (const [kind, items] of Object.entries({ inputs, databases, stores, apps, jobs })) {
    if (items === undefined || items.length === 0) continue;
    lines.push('', `${kind}:`);
    for (const [index, item] of items.entries()) {
      const isSpaced = index > 0 && kind !== 'inputs';
      const above = kind === 'inputs' || kind === 'stores' ? [] : comments.of(kind as 'apps', item.key);
      lines.push(...(isSpaced ? [''] : []), ...comment(above, '  '), ...listItem(item as unknown as Plain, '  '));
    }
  }
  return `${lines.join('\n')}\n`;
}

function comment(texts: readonly string[], indent: string): string[] {
  return texts.flatMap((text) => wrapped(visible(text), LINE - indent.length).map((line) => `${indent}# ${line}`));
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

function mapping(value: { readonly [key: string]: Plain }, indent: string): string[] {
  return Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : entry(key, one, indent)));
}

function entry(key: string, value: Plain, indent: string): string[] {
  const name = `${indent}${PLAIN_IN_FLOW.test(key) && tagOfPlain(key) === 'string' ? key : quoted(key)}:`;
  if (IN_ONE_LINE.has(key)) return [`${name} ${flow(value)}`];
  if (Array.isArray(value)) return value.length === 0 ? [`${name} []`] : [name, ...list(value, `${indent}  `)];
  if (typeof value === 'object' && value !== null)
    return [name, ...mapping(value as Record<string, Plain>, `${indent}  `)];
  if (typeof value === 'string' && value.includes('\n')) return block(name, value, `${indent}  `);
  return [`${name} ${scalar(value)}`];
}

function list(values: readonly Plain[], indent: string): string[] {
  return values.flatMap((value) => listItem(value, indent));
}

function listItem(value: Plain, indent: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${indent}- ${scalar(value)}`];
  const [first = '', ...rest] = mapping(value as Record<string, Plain>, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

function flow(value: Plain): string {
  if (Array.isArray(value)) return `[${value.map((one) => scalar(one as Plain, true)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return scalar(value, true);
  const pairs = Object.entries(value).flatMap(([key, one]) =>
    one === undefined ? [] : [`${key}: ${scalar(one, true)}`],
  );
  return `{ ${pairs.join(', ')} }`;
}

/**
 * Matches text that can be a YAML literal block (`|`). The first character must be visible, and no character may need
 * an escape sequence.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern excludes control characters
const BLOCK = /^[^\s\ufeff][^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]*$/u;

/**
 * Writes a text with several lines as a YAML literal block. If this is not possible, writes the text in double quotes.
 */
function block(name: string, text: string, indent: string): string[] {
  if (!BLOCK.test(text) || /\n{2,}$/.test(text) || !text.isWellFormed()) return [`${name} ${scalar(text)}`];
  const ends = text.endsWith('\n');
  const lines = (ends ? text.slice(0, -1) : text).split('\n');
  return [`${name} ${ends ? '|' : '|-'}`, ...lines.map((line) => (line === '' ? '' : `${indent}${line}`))];
}

/** Matches text that needs no quotes in YAML. */
const PLAIN = /^[A-Za-z0-9_/.$~][A-Za-z0-9_/.$~{}@+=()&*;<>^:-]*(?: [A-Za-z0-9_/.$~{}@+=()&*;<>^:-]+)*$/;
const PLAIN_IN_FLOW = /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/;

function scalar(value: Plain, isInFlow = false): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = (isInFlow ? PLAIN_IN_FLOW : PLAIN).test(value) && !/:(?: |$)/.test(value);
  const isText =
    tagOfPlain(value) === 'string' &&
    !/^(?:y|n|yes|no|on|off)$/i.test(value) &&
    !value.startsWith('---') &&
    !value.startsWith('...');
  return isPlain && isText ? value : quoted(value);
}

/** Writes text in double quotes and escapes characters that YAML does not allow. */
function quoted(text: string): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text.toWellFormed()).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escape);
}
