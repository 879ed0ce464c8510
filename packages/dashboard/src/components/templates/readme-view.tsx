import type { ReactNode } from 'react';
import { type Element, markdownTree, type Node, textOf } from '../markdown/markdown.ts';
import { MarkdownView } from '../markdown/markdown-view.tsx';

/** Renders the README of a template. */
export function ReadmeView({ markdown, title }: { markdown: string; title: string }) {
  const nodes = withoutTitle(markdownTree(markdown), title);
  if (nodes.length === 0) return <p className="text-sm text-soft">This template has no description.</p>;
  return <MarkdownView nodes={nodes} draw={drawHeading} />;
}

/** Removes the first heading of a README if it repeats the page title. */
function withoutTitle(nodes: Node[], title: string): Node[] {
  const [first, ...rest] = nodes;
  const words = typeof first === 'object' && isHeading(first) ? textOf(first.children) : null;
  return words?.trim().toLowerCase() === title.trim().toLowerCase() ? rest : nodes;
}

function isHeading({ tag }: Element): boolean {
  return /^h[1-6]$/.test(tag);
}

/** Renders all headings as `h3`, because the card that contains the README has an `h2` title. */
function drawHeading(element: Element, children: ReactNode): ReactNode | undefined {
  if (!isHeading(element)) return undefined;
  const isTop = element.tag === 'h1' || element.tag === 'h2';
  return <h3 className={isTop ? 'pt-1 text-base' : 'text-sm'}>{children}</h3>;
}
