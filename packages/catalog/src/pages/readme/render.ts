import { clean } from './clean.ts';
import type { ReadmeLocation } from './location.ts';
import { markdownToHtml, withHeadings } from './markdown.ts';

/**
 * Renders a README to HTML that is safe to insert into a web page. Call this function only in a worker thread, because
 * rendering a malicious README can take long.
 */
export function renderReadme(markdown: string, location: ReadmeLocation): string {
  return reachable(withHeadings(clean(markdownToHtml(markdown), location)));
}

/** Makes wide tables and code blocks of a README scrollable. Users can also scroll with the keyboard. */
function reachable(html: string): string {
  return html
    .replace(/<table(?: align="[a-z]+")?>/g, '<div class="scroll" tabindex="0" role="region" aria-label="Table">$&')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replace(/<li>(\s*(?:<p>)?)(?=[☐☑] )/g, '<li class="task">$1');
}
