import stringWidth from 'string-width';
import type { Paint, Style } from './paint.ts';
import { safeLine } from './safe-text.ts';

/**
 * Field of a resource that a `get` command prints. If the value is a list, each item is printed on its own line. A
 * field with `undefined` or an empty list is not printed.
 */
export type Field = readonly [
  name: string,
  value: string | number | readonly string[] | null | undefined,
  style?: Style | undefined,
];

/** Formats the fields of a resource as output lines. Each line contains a name and a value. */
export function recordLines(fields: readonly Field[], paint: Paint): string[] {
  const shown = fields.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0));
  const width = Math.max(0, ...shown.map(([name]) => stringWidth(name)));
  return shown.flatMap(([name, value, style]) => {
    const values = Array.isArray(value) ? (value as readonly string[]) : [String(value ?? '–')];
    return values.map((text, index) => {
      const label = index === 0 ? name : '';
      const room = ' '.repeat(width - stringWidth(label) + 2);
      return `${paint(label, 'dim')}${room}${paint(safeLine(text), style)}`;
    });
  });
}
