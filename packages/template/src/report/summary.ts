import type { CheckedFile } from './checked-file.ts';
import { countBySeverity } from './order.ts';
import type { ReportPaint } from './text.ts';
import { visible } from './visible.ts';

/** Returns one sentence about the results of all checked template files, for example with the number of errors. */
export function summaryLine(files: readonly CheckedFile[], paint: ReportPaint = (words) => words): string {
  const { error, warning, info } = countBySeverity(files.flatMap(({ diagnostics }) => diagnostics));
  const counts = [counted(error, 'error'), counted(warning, 'warning'), counted(info, 'note')].filter(Boolean);
  const found = counts.length === 0 ? 'no problems' : counts.join(', ');
  const refused = files.filter(({ manifest }) => manifest === null).length;
  const [only] = files;
  if (files.length === 1 && only) {
    const verdict = refused > 0 ? paint('not valid', 'red') : paint('valid', 'green');
    return `${visible(only.file)} is ${verdict}: ${found}.`;
  }
  const verdict = refused > 0 ? paint(`${refused} not valid`, 'red') : paint('all valid', 'green');
  return `${files.length} templates, ${verdict}: ${counts.length === 0 ? 'no problems' : found}.`;
}

function counted(n: number, word: string): string {
  return n === 0 ? '' : `${n} ${word}${n === 1 ? '' : 's'}`;
}
