import type { Path } from '../diagnostic.ts';
import type { SourceNode } from '../document.ts';
import type { ListShape, ObjectShape, TextForm } from '../schema/shape.ts';
import { tagOfPlain } from '../yaml/scalar.ts';

/** Maximum length in characters of a text for which an error message suggests a correction. */
const LONGEST = 60;

/** Returns a hint for a number or boolean that is quoted by mistake. Returns `undefined` for other values. */
export function withoutQuotes(node: SourceNode, path: Path, tags: readonly string[]): string | undefined {
  const last = path.at(-1);
  if (node.kind !== 'scalar' || node.tag !== 'string' || node.text.length > LONGEST) return undefined;
  if (!tags.includes(tagOfPlain(node.text))) return undefined;
  return `Remove the quotes: \`${typeof last === 'string' ? `${last}: ` : '- '}${node.text}\`.`;
}

/**
 * Returns a hint with an example for a value that must be a list. Returns `undefined` if the example would not help.
 */
export function asList(node: SourceNode, { of }: ListShape, path: Path): string | undefined {
  if (of.is === 'object' || of.is === 'variants') return 'Write a list, in which each item begins with a dash, `- `.';
  const words = node.kind === 'scalar' && node.tag === 'string' ? node.text.trim() : '';
  // A text with quotes or variables is hard to split into items, so the hint contains no example list.
  if (words === '' || words.length > LONGEST || !/^[\w./:=@%+,\s-]+$/.test(words)) return undefined;
  const items = words.split(/[\s,]+/).map((word) => JSON.stringify(word));
  return `Write a list: \`${path.at(-1)}: [${items.join(', ')}]\`.`;
}

/**
 * Returns a hint with an example for a list item that must be a mapping. The example contains the first required key.
 * If no key is required, it contains the first key.
 */
export function asMapping({ fields }: ObjectShape, path: Path): string | undefined {
  const [key, field] = Object.entries(fields).find(([, { required }]) => required) ?? Object.entries(fields)[0] ?? [];
  if (key === undefined || field?.example === undefined || typeof path.at(-1) !== 'number') return undefined;
  return `Write keys and values, such as \`- ${key}: ${JSON.stringify(field.example)}\`.`;
}

/**
 * Returns a hint with the corrected text, for example with hyphens or in lower case. Returns `undefined` if the text
 * cannot be corrected.
 */
export function corrected(text: string, { joint, pattern }: TextForm): string | undefined {
  if (joint === undefined || text.length > LONGEST) return undefined;
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const joined = plain.replaceAll(/[^A-Za-z0-9]+/g, joint).replaceAll(/^[_-]+|[_-]+$/g, '');
  const form = new RegExp(pattern, 'u');
  const found = [joined, joined.toLowerCase()].find((candidate) => /[A-Za-z]/.test(candidate) && form.test(candidate));
  return found === undefined ? undefined : `Write for example \`${found}\`.`;
}
