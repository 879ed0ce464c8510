import type { Diagnostic, Severity } from '../diagnostic.ts';
import { inOrder } from './order.ts';
import { snippetOf } from './snippet.ts';
import { SourceLines } from './source-line.ts';
import { visible } from './visible.ts';

/** How a piece of a report looks; what it says never depends on it. */
export type ReportStyle = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan' | 'green';

export type ReportPaint = (text: string, style?: ReportStyle) => string;

export interface ReportOptions {
  /** What the file is called, as the reader knows it. */
  file: string;
  /** The text that was checked; null: there is none to show. */
  text: string | null;
  /** In cells of a terminal; absent: 100. */
  width?: number;
  /** Absent: without colours. */
  paint?: ReportPaint;
}

const STYLES: Record<Severity, ReportStyle> = { error: 'red', warning: 'yellow', info: 'cyan' };
const LONGEST = 600;

/**
 * Diagnostics as a compiler prints them: by line, each with where it stands, what it is, the line with a mark below it and
 * what to do. Whatever the file says is made safe for a terminal; styles are put around it afterwards.
 * @returns lines without their ends; none when there is nothing to say
 */
export function reportLines(diagnostics: readonly Diagnostic[], options: ReportOptions): string[] {
  const { file, text, width = 100, paint = (words) => words } = options;
  const ordered = inOrder(diagnostics);
  const last = ordered.at(-1)?.line ?? 1;
  const gutter = Math.max(3, String(last).length);
  const lines = new SourceLines(text ?? '');
  return ordered.flatMap((diagnostic, index) => {
    const head = headOf(diagnostic, file, paint);
    const isShown = isSamePlace(ordered[index - 1], diagnostic);
    const source = isShown || text === null ? [] : sourceOf(diagnostic, lines, { gutter, width, paint });
    const hint = diagnostic.hint === undefined ? [] : [hintOf(diagnostic.hint, gutter, paint)];
    return [head, ...source, ...hint];
  });
}

function headOf({ severity, code, message, line, column }: Diagnostic, file: string, paint: ReportPaint): string {
  const place = [visible(file), line, column].filter((part) => part !== undefined).join(':');
  const words = paint(oneLine(message), 'bold');
  return `${paint(`${place}:`, 'dim')} ${paint(`${severity}:`, STYLES[severity])} ${words} ${paint(`[${code}]`, 'dim')}`;
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

/** Two diagnostics of one place show its line once. */
function isSamePlace(before: Diagnostic | undefined, { line, column }: Diagnostic): boolean {
  return before !== undefined && line !== undefined && before.line === line && before.column === column;
}

/** A file may be quoted in a message: what is longer than anybody reads is cut. */
function oneLine(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return visible(cut.replaceAll(/\s*\n\s*|\t/g, ' '));
}
