import MarkdownIt, { type Token } from 'markdown-it';
import { headingId } from './location.ts';

/**
 * Number of levels by which README headings are lowered. The web page already uses two heading levels above the README.
 */
const SHIFT = 2;
const BOXES: Record<string, string> = { ' ': '☐ ', x: '☑ ', X: '☑ ' };

/**
 * Converts Markdown to HTML in the same way as GitHub. The result can contain unsafe HTML from the author, which the
 * caller must remove.
 */
export function markdownToHtml(text: string): string {
  const parser = new MarkdownIt({ html: true, linkify: true });
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  const environment = {};
  const tokens = parser.parse(text, environment);
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'inline' && tokens[at - 2]?.type === 'list_item_open') tick(token);
    alignByAttribute(token);
  }
  return parser.renderer.render(tokens, parser.options, environment);
}

/**
 * Rewrites the headings of a sanitized README. Each heading gets an id and moves down two levels, for example from `h1`
 * to `h3`. A heading is at most one level below the previous heading.
 */
export function withHeadings(cleaned: string): string {
  const taken = new Map<string, number>();
  let above = SHIFT;
  return cleaned.replace(/<h([1-6])((?: align="[a-z]+")?)>(.*?)<\/h\1>/gs, (_, level: string, align: string, inner) => {
    const id = headingId(unescaped((inner as string).replace(/<[^>]*>/g, '')));
    const before = taken.get(id) ?? 0;
    taken.set(id, before + 1);
    // Users of screen readers navigate by headings. A skipped heading level would confuse these users.
    above = Math.min(6, Number(level) + SHIFT, above + 1);
    return `<h${above} id="${escaped(before ? `${id}-${before}` : id)}"${align}>${inner}</h${above}>`;
  });
}

/** Replaces `[ ]` and `[x]` at the start of a Markdown list item with a checkbox symbol. */
function tick({ children }: Token): void {
  const first = children?.[0];
  const [mark, state = ''] = /^\[([ xX])\]\s+/.exec(first?.content ?? '') ?? [];
  if (first && mark) first.content = (BOXES[state] ?? '') + first.content.slice(mark.length);
}

/**
 * Replaces the inline style of an aligned table cell with the `align` attribute. The Content-Security-Policy forbids
 * inline styles.
 */
function alignByAttribute(token: Token): void {
  const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1];
  if (align) token.attrs = [['align', align]];
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

function unescaped(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
