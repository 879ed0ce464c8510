import { Fragment, type ReactNode } from 'react';
import { type Element, type Node, readmeOf, textOf } from './readme.ts';

/** Renders a Markdown README as React elements. The README is never inserted as HTML, so it cannot run scripts. */
export function ReadmeView({ markdown, title }: { markdown: string; title: string }) {
  const nodes = withoutTitle(readmeOf(markdown), title);
  if (nodes.length === 0) return <p className="text-sm text-soft">This template has no description.</p>;
  return <div className="flex min-w-0 flex-col gap-3 text-sm break-words">{drawn(nodes)}</div>;
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

function drawn(nodes: readonly Node[]): ReactNode {
  return nodes.map((node, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of a README never change
    <Fragment key={at}>{typeof node === 'string' ? node : drawnElement(node)}</Fragment>
  ));
}

function drawnElement(element: Element): ReactNode {
  const children = drawn(element.children);
  switch (element.tag) {
    case 'h1':
    case 'h2':
      // A top heading of the README becomes `h3`, because the card that contains the README has an `h2` title.
      return <h3 className="pt-1 text-base">{children}</h3>;
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return <h3 className="text-sm">{children}</h3>;
    case 'ul':
      return <ul className="list-disc pl-6">{children}</ul>;
    case 'ol':
      return <ol className="list-decimal pl-6">{children}</ol>;
    case 'blockquote':
      return <blockquote className="flex flex-col gap-3 border-l-2 border-edge pl-3 text-soft">{children}</blockquote>;
    case 'pre':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element
        <pre tabIndex={0} className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">
          {children}
        </pre>
      );
    case 'table':
      return (
        <section
          aria-label="Table"
          className="overflow-x-auto"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element
          tabIndex={0}
        >
          <table className="w-full border-collapse text-sm">{children}</table>
        </section>
      );
    case 'tbody':
      return <tbody className="[&>tr:last-child]:border-0">{children}</tbody>;
    case 'tr':
      return <tr className="border-b border-line">{children}</tr>;
    case 'th':
      return (
        <th scope="col" className="px-2 py-1.5 text-left text-xs font-medium text-soft">
          {children}
        </th>
      );
    case 'td':
      return <td className="px-2 py-1.5 align-top">{children}</td>;
    case 'code':
      return <code className="rounded bg-sunken px-1 font-mono text-xs">{children}</code>;
    case 'a':
      return (
        <a href={element.href} target="_blank" rel="noreferrer nofollow" className="text-accent underline">
          {children}
        </a>
      );
    case 'hr':
      return <hr className="border-line" />;
    case 'br':
      return <br />;
    default: {
      const Tag = element.tag;
      return <Tag>{children}</Tag>;
    }
  }
}
