import stringWidth from 'string-width';
import type { Paint, Style } from './paint.ts';
import { safeLine } from './safe-text.ts';

export interface Column<Row> {
  header: string;
  /** Returns the text of a table cell. `null` is printed as a dash. */
  value: (row: Row) => string | number | null;
  align?: 'right';
  style?: (row: Row) => Style | undefined;
}

const GAP = '  ';
/** Minimum width of a table column in characters. */
const LEAST_WIDTH = 8;

/**
 * Formats rows as a table with column headers.
 * @param width terminal width in characters. `null` for files and pipes, in which cells are not cut
 */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number | null,
  paint: Paint,
): string[] {
  const cells = rows.map((row) => columns.map(({ value }) => safeLine(String(value(row) ?? '–'))));
  const wanted = columns.map(({ header }, index) =>
    Math.max(stringWidth(header), ...cells.map((line) => stringWidth(line[index] ?? ''))),
  );
  const widths = width === null ? wanted : fitted(wanted, width);
  const line = (texts: readonly string[], style: (index: number) => Style | undefined) =>
    texts
      .map((text, index) => {
        const isLast = index === texts.length - 1;
        const shown = cut(text, widths[index] ?? 0);
        const room = ' '.repeat(Math.max(0, (widths[index] ?? 0) - stringWidth(shown)));
        const painted = paint(shown, style(index));
        if (columns[index]?.align === 'right') return room + painted;
        return isLast ? painted : painted + room;
      })
      .join(GAP);
  return [
    line(
      columns.map(({ header }) => header),
      () => 'dim',
    ),
    ...rows.map((row, at) => line(cells[at] ?? [], (index) => columns[index]?.style?.(row))),
  ];
}

/**
 * Reduces the width of the widest columns until the table fits the terminal. The first column is shortened last,
 * because it identifies the row.
 */
function fitted([first = 0, ...others]: readonly number[], width: number): number[] {
  const room = width - GAP.length * others.length;
  let excess = first + others.reduce((sum, one) => sum + one, 0) - room;
  while (excess > 0) {
    const widest = Math.max(0, ...others);
    if (widest <= LEAST_WIDTH) break;
    others[others.indexOf(widest)] = widest - 1;
    excess -= 1;
  }
  return [Math.max(LEAST_WIDTH, first - Math.max(0, excess)), ...others];
}

/** Cuts a text to a width in terminal columns. A text that was cut ends with an ellipsis. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let shown = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(shown + segment) > width - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}
