import { cellsOf } from './cells.ts';
import { visible } from './visible.ts';

/** Line of a template file with a marker below the line. */
export interface Snippet {
  line: string;
  /** Spaces and a marker (`^~~`) below the incorrect text. `null` if the column of the problem is unknown. */
  mark: string | null;
}

const TAB = 4;
const CUT = '…';

interface Cell {
  /** Form of one code point in a terminal. For example, a tab is shown as an arrow and spaces. */
  shown: string;
  cells: number;
}

/**
 * Shortens a template line to `width` terminal columns, and marks the incorrect word.
 * @param column position of the error in code points. The first column is 1
 */
export function snippetOf(line: string, column: number | undefined, width: number): Snippet {
  const at = (column ?? 1) - 1;
  /*
   * Only `width` characters before and after the error position are read, because further characters do not fit in the
   * terminal.
   */
  const { before, after, isCutBefore, isCutAfter } = around(line, at, width);
  const left = shown(before);
  const right = shown(after);
  const word = right.slice(0, Math.max(1, wordLength(after)));
  /*
   * The incorrect word starts at the error position. Therefore, at least half of the width is used for the text after
   * this position.
   */
  const rightPart = fromStart(right, Math.max(width - total(left), Math.floor(width / 2)), isCutAfter);
  const leftPart = fromEnd(left, width - total(rightPart), isCutBefore);
  const marked = Math.max(1, Math.min(total(word), total(rightPart)));
  const mark = column === undefined ? null : `${' '.repeat(total(leftPart))}^${'~'.repeat(marked - 1)}`;
  return { line: [...leftPart, ...rightPart].map((cell) => cell.shown).join(''), mark };
}

/** Returns the text before and after a position in a line. Each text has at most `reach` characters. */
function around(line: string, at: number, reach: number) {
  let start = 0;
  let offset = 0;
  for (let passed = 0; passed < at && offset < line.length; passed++) {
    offset += sizeAt(line, offset);
    if (passed >= reach) start += sizeAt(line, start);
  }
  let end = offset;
  for (let taken = 0; taken < reach && end < line.length; taken++) end += sizeAt(line, end);
  return {
    before: line.slice(start, offset),
    after: line.slice(offset, end),
    isCutBefore: start > 0,
    isCutAfter: end < line.length,
  };
}

function sizeAt(line: string, offset: number): number {
  return (line.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

function shown(text: string): Cell[] {
  return Array.from(text, (codePoint) => {
    if (codePoint === '\t') return { shown: `→${' '.repeat(TAB - 1)}`, cells: TAB };
    const seen = visible(codePoint);
    return { shown: seen, cells: cellsOf(seen) };
  });
}

/** Returns the length of the word or quoted text at the start of a text, in code points. */
function wordLength(text: string): number {
  const word = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|(?:\$\{[^}]*\}|[^\s:#,[\]{}]|[:#](?=\S))+)/u.exec(text)?.[0] ?? '';
  return Array.from(word).length;
}

function total(cells: readonly Cell[]): number {
  return cells.reduce((sum, { cells }) => sum + cells, 0);
}

function fromStart(cells: readonly Cell[], room: number, isCut: boolean): Cell[] {
  if (total(cells) <= room && !isCut) return [...cells];
  const kept: Cell[] = [];
  for (const cell of cells) {
    if (total(kept) + cell.cells > room - 1) break;
    kept.push(cell);
  }
  return [...kept, { shown: CUT, cells: 1 }];
}

function fromEnd(cells: readonly Cell[], room: number, isCut: boolean): Cell[] {
  return fromStart(cells.toReversed(), room, isCut).toReversed();
}
