import type { ReportPaint, ReportStyle } from '../report/text.ts';
import { visible } from '../report/visible.ts';
import type { ImportNote, NoteKind } from './notes.ts';

const SIGNS: Record<NoteKind, [sign: string, style: ReportStyle]> = {
  carried: ['+', 'green'],
  changed: ['~', 'yellow'],
  'left-out': ['-', 'red'],
};

/**
 * Returns the lines of an import report, grouped by Compose service. The lines contain no terminal control characters.
 */
export function importReport(notes: readonly ImportNote[], paint: ReportPaint = (text) => text): string[] {
  const lines: string[] = [];
  let service: string | null | undefined;
  for (const note of notes) {
    if (note.service !== service) {
      service = note.service;
      lines.push(paint(service === null ? 'the file' : visible(service), 'bold'));
    }
    const [sign, style] = SIGNS[note.kind];
    lines.push(`  ${paint(sign, style)} ${paint(`${visible(note.key)}:`, 'dim')} ${visible(note.message)}`);
  }
  return lines;
}

/** Returns a sentence with the number of Compose keys that the import converted, changed or omitted. */
export function importSummary(notes: readonly ImportNote[]): string {
  const count = (kind: NoteKind) => notes.filter((note) => note.kind === kind).length;
  return `${count('carried')} converted, ${count('changed')} changed, ${count('left-out')} not converted.`;
}
