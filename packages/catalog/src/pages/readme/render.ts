import { clean } from './clean.ts';
import { markdownToHtml, withHeadings } from './markdown.ts';
import type { Place } from './place.ts';

/**
 * A README as HTML that is safe to put into a page. How long it takes is up to who wrote the README: call it where
 * nobody waits for the thread.
 */
export function renderReadme(markdown: string, place: Place): string {
  return reachable(withHeadings(clean(markdownToHtml(markdown), place)));
}

/** What may be wider than the page is scrolled by itself, with the keyboard too. */
function reachable(html: string): string {
  return html
    .replace(/<table(?: align="[a-z]+")?>/g, '<div class="scroll" tabindex="0" role="region" aria-label="Table">$&')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replace(/<li>(\s*(?:<p>)?)(?=[☐☑] )/g, '<li class="task">$1');
}
