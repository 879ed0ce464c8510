/**
 * Converts Markdown to a tree of elements. HTML tags become plain text. Images are omitted, because the browser would
 * load them from other servers.
 */
import MarkdownIt, { type Token } from 'markdown-it';

const TAGS = [
  ...(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'hr', 'br'] as const),
  ...(['table', 'thead', 'tbody', 'tr', 'th', 'td', 'a', 'code', 'strong', 'em', 's'] as const),
] as const;
export type Tag = (typeof TAGS)[number];

export interface Element {
  tag: Tag;
  /** URL of a link, as returned by the function `LinkTo`. */
  href?: string;
  children: Node[];
}

export type Node = string | Element;

/**
 * Returns the URL for the target of a Markdown link. Returns `null` if no page exists for the target. Then, only the
 * text of the link is shown.
 */
export type LinkTo = (target: string) => string | null;

/** Maximum length of a Markdown text in characters. The rest of a longer text is omitted. */
const MOST_CHARACTERS = 200_000;

const BOXES: Record<string, string> = { ' ': '☐ ', x: '☑ ', X: '☑ ' };

/** HTML elements that may be empty. */
const EMPTY: ReadonlySet<Tag> = new Set(['hr', 'br', 'th', 'td']);

/** Markdown parser with the same options as in the template catalog. HTML in Markdown is not interpreted. */
const parser = new MarkdownIt({ html: false, linkify: true });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

export function markdownTree(markdown: string, linkTo: LinkTo = linkToWeb): Node[] {
  return treeOf(parser.parse(markdown.slice(0, MOST_CHARACTERS), {}), linkTo);
}

export function textOf(nodes: readonly Node[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
}

function treeOf(tokens: readonly Token[], linkTo: LinkTo): Node[] {
  const root: Node[] = [];
  // Stack of open Markdown tokens. If a token creates no element, its content is added to the enclosing element.
  const open: { element: Element | null; children: Node[] }[] = [];
  const append = (node: Node) => (open.at(-1)?.children ?? root).push(node);
  for (const [at, token] of tokens.entries()) {
    if (token.nesting === 1) {
      const element = elementOf(token, linkTo);
      open.push({ element, children: element?.children ?? open.at(-1)?.children ?? root });
    } else if (token.nesting === -1) {
      const element = open.pop()?.element ?? null;
      if (element !== null && (EMPTY.has(element.tag) || hasContent(element.children))) append(element);
    } else {
      const isItem = tokens[at - 2]?.type === 'list_item_open';
      for (const node of leavesOf(token, isItem, linkTo)) append(node);
    }
  }
  return root;
}

function leavesOf(token: Token, isItem: boolean, linkTo: LinkTo): Node[] {
  switch (token.type) {
    case 'inline': {
      const nodes = treeOf(token.children ?? [], linkTo);
      return isItem ? withBox(nodes) : nodes;
    }
    case 'fence':
    case 'code_block':
      return [{ tag: 'pre', children: [token.content.replace(/\n$/, '')] }];
    case 'code_inline':
      return [{ tag: 'code', children: [token.content] }];
    case 'softbreak':
      return [' '];
    case 'hardbreak':
      return [{ tag: 'br', children: [] }];
    case 'hr':
      return [{ tag: 'hr', children: [] }];
    case 'image':
      return [];
    default:
      return [token.content];
  }
}

/**
 * Returns the HTML element for a Markdown token. Returns `null` if the content of the token belongs to the parent
 * element.
 */
function elementOf(token: Token, linkTo: LinkTo): Element | null {
  const tag = TAGS.find((one) => one === token.tag);
  if (token.hidden || tag === undefined) return null;
  if (tag !== 'a') return { tag, children: [] };
  const href = linkTo(String(token.attrGet('href') ?? ''));
  return href === null ? null : { tag, href, children: [] };
}

/**
 * Returns the target of a link if the target is an absolute HTTP URL. Otherwise, returns `null`. A relative link in the
 * README of a template would lead to a page of this instance.
 */
export function linkToWeb(target: string): string | null {
  return /^https?:\/\//i.test(target) && URL.canParse(target) ? target : null;
}

function hasContent(nodes: readonly Node[]): boolean {
  return nodes.some((node) =>
    typeof node === 'string' ? node.trim() !== '' : EMPTY.has(node.tag) || hasContent(node.children),
  );
}

/** Replaces `[ ]` or `[x]` at the start of a list item with a check box symbol. */
function withBox([first = '', ...rest]: Node[]): Node[] {
  const [mark, state = ''] = typeof first === 'string' ? (/^\[([ xX])\]\s+/.exec(first) ?? []) : [];
  if (mark === undefined || typeof first !== 'string') return [first, ...rest];
  return [(BOXES[state] ?? '') + first.slice(mark.length), ...rest];
}
