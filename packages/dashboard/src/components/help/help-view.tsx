import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Element, markdownTree } from '../markdown/markdown.ts';
import { MarkdownView } from '../markdown/markdown-view.tsx';
import { anchorsOf } from './anchors.ts';
import { helpLink } from './links.ts';
import { NAMES } from './pages.ts';

const HEADINGS: Readonly<Record<string, string>> = {
  h1: 'text-xl outline-none',
  h2: 'pt-3 text-lg',
  h3: 'pt-2 text-base',
};

/** Renders a help page. Links to other help pages open in the same tab. */
export function HelpView({ path, text }: { path: string; text: string }) {
  const nodes = markdownTree(text, (target) => helpLink(target, path, NAMES));
  const anchors = anchorsOf(nodes);
  const draw = (element: Element, children: ReactNode) => {
    const anchor = anchors.get(element);
    if (anchor !== undefined) return heading(element, anchor, children);
    return element.href?.startsWith('/') ? inHelp(element.href, children) : undefined;
  };
  return <MarkdownView nodes={nodes} draw={draw} />;
}

function heading({ tag }: Element, anchor: string, children: ReactNode): ReactNode {
  const Tag = tag as 'h1' | 'h2' | 'h3';
  return (
    // Keep space above the heading, because the fixed header covers the first 3 rem of the window.
    <Tag id={anchor} tabIndex={tag === 'h1' ? -1 : undefined} className={`scroll-mt-16 ${HEADINGS[tag] ?? 'text-sm'}`}>
      {children}
    </Tag>
  );
}

function inHelp(href: string, children: ReactNode): ReactNode {
  const [to = href, hash] = href.split('#');
  return (
    <Link to={to} {...(hash !== undefined && { hash })} className="text-accent underline">
      {children}
    </Link>
  );
}
