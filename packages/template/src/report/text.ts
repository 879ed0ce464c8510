import type { Diagnostic, Severity } from '../diagnostic.ts';
import { inOrder } from './order.ts';
import { snippetOf } from './snippet.ts';
import { SourceLines } from './source-line.ts';
import { visible } from './visible.ts';

/** Style of a text in a terminal report, such as a color. The style does not change the text. */
export type ReportStyle = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan' | 'green';

export type ReportPaint = (text: string, style?: ReportStyle) => string;

export interface ReportOptions {
  file: string;
  /** Content of the checked file. The report shows the lines with problems. `null` if the content is not available. */
  text: string | null;
  /** Width of the report in terminal columns. Default: 100. */
  width?: number;
  /** Function that adds terminal colors to a text. Default: no colors. */
  paint?: ReportPaint;
}

const STYLES: Record<Severity, ReportStyle> = { error: 'red', warning: 'yellow', info: 'cyan' };
const LONGEST = 600;

/**
 * Formats diagnostics like a compiler, sorted by line. Each diagnostic has a position, a message, the marked line and a
 * hint. Terminal control characters are replaced.
 */
export function reportLines(diagnostics: readonly Diagnostic[], options: ReportOptions): string[] {
  const { file, text, width = 100, paint = (words) => words } = options;
  const ordered = inOrder(diagnostics);
  const last = ordered.at(-1)?.line ?? 1;
  const gutter = Math.max(3, String(last).length);
  const lines = new SourceLines(text ?? '');
  return ordered.flatMap((diagnostic, index) => {
    const head = headOf(diagnostic, file, paint);
    const isShown = isSamePosition(ordered[index - 1], diagnostic);
    const source = isShown || text === null ? [] : sourceOf(diagnostic, lines, { gutter, width, paint });
    const hint = diagnostic.hint === undefined ? [] : [hintOf(diagnostic.hint, gutter, paint)];
    return [head, ...source, ...hint];
  });
}

function headOf({ severity, code, message, line, column }: Diagnostic, file: string, paint: ReportPaint): string {
  const position = [visible(file), line, column].filter((part) => part !== undefined).join(':');
  const words = paint(oneLine(message), 'bold');
  return `${paint(`${position}:`, 'dim')} ${paint(`${severity}:`, STYLES[severity])} ${words} ${paint(`[${code}]`, 'dim')}`;
}

function sourceOf(
  { severity, line, column }: Diagnostic,
  lines: SourceLines,
  { gutter, width, paint }: { gutter: number; width: number; paint: ReportPaint },
): string[] {
  const source = line === undefined ? null : lines.at(line);
  if (source === null) return [];
  const room = Math.max(20, width - gutter - 5);
  const snippet = snippetOf(source, column, room);
  const shown = `${paint(`${String(line).padStart(gutter + 1)} |`, 'dim')} ${snippet.line}`.trimEnd();
  if (snippet.mark === null) return [shown];
  const indent = snippet.mark.length - snippet.mark.trimStart().length;
  const mark = `${' '.repeat(indent)}${paint(snippet.mark.trimStart(), STYLES[severity])}`;
  return [shown, `${paint(`${' '.repeat(gutter + 1)} |`, 'dim')} ${mark}`];
}

function hintOf(hint: string, gutter: number, paint: ReportPaint): string {
  return `${paint(`${' '.repeat(gutter + 1)} =`, 'dim')} ${oneLine(hint)}`;
}

/**
 * Returns whether two diagnostics have the same position. If they do, the report shows the line of the file only once.
 */
function isSamePosition(before: Diagnostic | undefined, { line, column }: Diagnostic): boolean {
  return before !== undefined && line !== undefined && before.line === line && before.column === column;
}

/** Shortens a message to one line. This is necessary because a message can quote long parts of the template file. */
function oneLine(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return visible(cut.replaceAll(/\s*\n\s*|\t/g, ' '));
}
