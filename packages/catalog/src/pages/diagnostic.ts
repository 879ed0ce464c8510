import type { Diagnostic, Severity } from '@davit/template';
import { mark } from './marks.ts';
import { type Html, html, outward, withCode } from './markup.ts';
import { codePath, type Site } from './site.ts';
import { counted, listed } from './words.ts';

const SEVERITIES: Record<Severity, { word: string; noun: string }> = {
  error: { word: 'Error', noun: 'error' },
  warning: { word: 'Warning', noun: 'warning' },
  info: { word: 'Advice', noun: 'piece of advice' },
};
const PLURALS: Record<Severity, string> = { error: 'errors', warning: 'warnings', info: 'pieces of advice' };

/**
 * Returns the HTML of one diagnostic of a template check. The HTML contains the problem, the solution, the position,
 * and a link to the explanation of its code.
 */
export function diagnosticCard(site: Site, diagnostic: Diagnostic, position: Html | string = ''): Html {
  const { severity, code, message, hint } = diagnostic;
  return html`<div class="said ${severity}">
<p class="what">${mark(severity)}<strong class="severity">${SEVERITIES[severity].word}</strong> <bdi>${withCode(message)}</bdi></p>
${hint ? html`<p class="hint"><bdi>${withCode(hint)}</bdi></p>` : ''}
<p class="where">${position}<a class="code" href="${site.at(codePath(code))}">${code}</a></p>
</div>`;
}

/** Sorts diagnostics of a template check by line. Diagnostics without a line come first. */
export function byLine(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/**
 * Returns a summary of diagnostics, such as `2 errors and 1 warning`. Returns an empty string if there are no
 * diagnostics.
 */
export function tally(diagnostics: readonly Diagnostic[]): string {
  const parts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const found = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return found === 0 ? [] : [counted(found, SEVERITIES[severity].noun, PLURALS[severity])];
  });
  return listed(parts);
}

/**
 * Returns the position of a diagnostic, such as `Line 3, column 7`. The position is a link if the URL of the template
 * file is known. Returns an empty text if the diagnostic has no line.
 */
export function positionOf({ line, column }: Diagnostic, file: string | null = null): Html | string {
  if (line === undefined) return '';
  const words = `Line ${line}${column === undefined ? '' : `, column ${column}`}`;
  return html`${file === null ? html`<span>${words}</span>` : outward(`${file}#L${line}`, words)} `;
}
