import { type CheckedFile, countBySeverity, type ReportPaint, reportLines, summaryLine } from '../report/index.ts';

export interface ReportLook {
  paint: ReportPaint;
  /** Width of the terminal in columns. `null` if the output does not go to a terminal. */
  width: number | null;
}

/**
 * Returns the report about all checked files and a summary, as lines of text. The lines contain no terminal control
 * characters.
 */
export function checkReport(files: readonly CheckedFile[], { paint, width }: ReportLook): string[] {
  const reports = files.flatMap(({ file, text, diagnostics }) => {
    const lines = reportLines(diagnostics, { file, text, paint, width: width ?? 120 });
    return lines.length === 0 ? [] : [...lines, ''];
  });
  return [...reports, summaryLine(files, paint)];
}

/** Returns whether the command `check` fails because of errors. With `strict`, warnings also cause a failure. */
export function isRefused(files: readonly CheckedFile[], strict: boolean): boolean {
  const { error, warning } = countBySeverity(files.flatMap(({ diagnostics }) => diagnostics));
  return error > 0 || (strict && warning > 0);
}
