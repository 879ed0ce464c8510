import type { Diagnostic } from '@davit/template';
import { diagnosticCard, positionOf } from './diagnostic.ts';
import { type Html, html } from './markup.ts';
import type { Site } from './site.ts';
import { number } from './words.ts';
import { yamlLine } from './yaml-line.ts';

/**
 * Limits for the source file on a template page: number of lines, characters per line (`width`) and number of
 * diagnostics (`notes`). Browsers would show a longer page slowly.
 */
const SHOWN = { lines: 3_000, width: 2_000, notes: 200 };

/** Group of consecutive lines of a template file. A new group starts at line 1 and at each line with diagnostics. */
interface Stretch {
  /** Number of the first line in this group of lines. The template file starts with line 1. */
  from: number;
  lines: string[];
  said: Diagnostic[];
}

/**
 * Returns the HTML of a template file with its diagnostics. Each line has an anchor such as `#L12`. Diagnostics without
 * a line come first.
 */
export function sourceView(site: Site, source: string, diagnostics: readonly Diagnostic[]): Html {
  const lines = source.replace(/\r?\n$/, '').split(/\r\n|\r|\n/);
  const shown = lines.slice(0, SHOWN.lines);
  const said = diagnostics.slice(0, SHOWN.notes);
  const isInShownLines = ({ line }: Diagnostic) => line !== undefined && line <= shown.length;
  const stretches = stretchesOf(shown, said.filter(isInShownLines));
  const others = said.filter((diagnostic) => !isInShownLines(diagnostic));
  const left = lines.length - shown.length;
  return html`<div class="source ${said.length > 0 ? 'noted' : ''}">
${others.length > 0 ? html`<div class="general">${others.map((each) => diagnosticCard(site, each, positionOf(each)))}</div>` : ''}
${stretches.map((stretch) => stretchView(site, stretch))}
${left > 0 ? html`<p class="more">${number(left)} more lines are not shown here.</p>` : ''}
</div>`;
}

function stretchesOf(lines: string[], said: readonly Diagnostic[]): Stretch[] {
  const byLine = Map.groupBy(said, ({ line }) => line ?? 1);
  const starts = [...new Set([1, ...byLine.keys()])].sort((a, b) => a - b);
  return starts.map((from, at) => ({
    from,
    lines: lines.slice(from - 1, (starts[at + 1] ?? lines.length + 1) - 1),
    said: byLine.get(from) ?? [],
  }));
}

function stretchView(site: Site, { from, lines, said }: Stretch): Html {
  const [first = '', ...rest] = lines;
  const worst = said.some(({ severity }) => severity === 'error') ? 'error' : (said[0]?.severity ?? '');
  return html`<div class="stretch"><div class="first ${worst}">${lineView(first, from)}</div>
${said.length > 0 ? html`<div class="notes">${said.map((each) => diagnosticCard(site, each))}</div>` : ''}
<div class="rest">${rest.map((line, at) => lineView(line, from + 1 + at))}</div></div>`;
}

/**
 * Returns the HTML of one line of a template file. The line number cannot be focused with the Tab key. Otherwise,
 * keyboard users would have to press Tab hundreds of times.
 */
function lineView(line: string, at: number): Html {
  const text = line.length > SHOWN.width ? `${line.slice(0, SHOWN.width)} …` : line;
  return html`<div class="line" id="L${at}"><a class="n" href="#L${at}" tabindex="-1" aria-label="Line ${at}">${at}</a><code>${yamlLine(text)}</code></div>`;
}
