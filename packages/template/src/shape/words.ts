import type { Path } from '../diagnostic.ts';
import type { ScalarNode, ScalarTag, SourceNode } from '../document.ts';

const TAGS: Record<ScalarTag, string> = {
  string: 'text',
  int: 'a whole number',
  float: 'a number',
  bool: 'true or false',
  null: 'nothing',
  timestamp: 'a date',
  other: 'a value of another type',
};
/**
 * Maximum length of a value in an error message, in characters. A longer value is shortened, because the report also
 * shows the line of the file.
 */
const EXCERPT = 40;

/**
 * Returns a readable name for a path in the template file, for error messages. Examples are "`tag`", "Item 2 of
 * `options`" and "The file".
 */
export function nameOf(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return 'The file';
  if (typeof last === 'string') return `\`${last}\``;
  const owner = path.findLast((step) => typeof step === 'string');
  return owner === undefined ? `Item ${last + 1}` : `Item ${last + 1} of \`${owner}\``;
}

/** Returns the type and the text of a value. The result completes an error message such as "must be a list, but is". */
export function kindOf(node: SourceNode): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a mapping';
  return node.text === '' || node.tag === 'null' ? TAGS[node.tag] : `${TAGS[node.tag]}, ${excerpt(node.text)}`;
}

export function excerpt(text: string): string {
  const line = text.slice(0, EXCERPT).replace(/\s+/g, ' ');
  return `\`${line}${text.length > EXCERPT ? '…' : ''}\``;
}

/** Joins words for an error message, such as `a`, `b` or `c`. */
export function either(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``);
  const last = quoted.pop() ?? '';
  return quoted.length > 0 ? `${quoted.join(', ')} or ${last}` : last;
}

/**
 * Returns an example with a quoted value for an error message, such as `tag: "1.10"`. For a list item, the example
 * starts with a dash, such as `- "1.10"`.
 */
export function quoted(path: Path, node: ScalarNode): string {
  const last = path.at(-1);
  const value = JSON.stringify(node.text);
  return typeof last === 'string' ? `${last}: ${value}` : `- ${value}`;
}
