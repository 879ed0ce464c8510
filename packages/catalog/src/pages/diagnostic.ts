import type { Diagnostic, Severity } from '@davit/template';
import { mark } from './marks.ts';
import { type Html, html } from './markup.ts';
import { codePath, type Site } from './site.ts';
import { counted, listed } from './words.ts';

const SEVERITIES: Record<Severity, { word: string; noun: string }> = {
  error: { word: 'Error', noun: 'error' },
  warning: { word: 'Warning', noun: 'warning' },
  info: { word: 'Advice', noun: 'piece of advice' },
};
const PLURALS: Record<Severity, string> = { error: 'errors', warning: 'warnings', info: 'pieces of advice' };

/** What a check says of one place: what is wrong, what to do, and where that is explained. */
export function diagnosticCard(site: Site, diagnostic: Diagnostic, place: Html | string = ''): Html {
  const { severity, code, message, hint } = diagnostic;
  return html`<div class="said ${severity}">
<p class="what">${mark(severity)}<strong class="severity">${SEVERITIES[severity].word}</strong> <bdi>${message}</bdi></p>
${hint ? html`<p class="hint"><bdi>${hint}</bdi></p>` : ''}
<p class="where">${place}<a class="code" href="${site.at(codePath(code))}">${code}</a></p>
</div>`;
}

/** `2 errors and 1 warning`; nothing: an empty text. */
export function tally(diagnostics: readonly Diagnostic[]): string {
  const parts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const found = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return found === 0 ? [] : [counted(found, SEVERITIES[severity].noun, PLURALS[severity])];
  });
  return listed(parts);
}

/** `Line 3, column 7`, leading to the line where one is given; nothing is said of what has no place. */
export function placeOf({ line, column }: Diagnostic, href: string | null): Html | string {
  if (line === undefined) return '';
  const words = `Line ${line}${column === undefined ? '' : `, column ${column}`}`;
  return href ? html`<a href="${href}">${words}</a> ` : html`<span>${words}</span> `;
}
