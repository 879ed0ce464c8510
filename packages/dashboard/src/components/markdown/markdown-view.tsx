import { Fragment, type ReactNode } from 'react';
import type { Element, Node } from './markdown.ts';

/**
 * Function that renders special Markdown elements, for example links. For any other element, the function returns
 * `undefined`. {@link MarkdownView} then renders the element in the default way.
 */
export type DrawElement = (element: Element, children: ReactNode) => ReactNode | undefined;

/** Renders Markdown as React elements. The Markdown text is never inserted as HTML, so it cannot run scripts. */
export function MarkdownView({ nodes, draw }: { nodes: readonly Node[]; draw: DrawElement }) {
  return <div className="flex min-w-0 flex-col gap-3 text-sm break-words">{drawn(nodes, draw)}</div>;
}

function drawn(nodes: readonly Node[], draw: DrawElement): ReactNode {
  return nodes.map((node, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of a text never change
    <Fragment key={at}>{typeof node === 'string' ? node : drawnElement(node, draw)}</Fragment>
  ));
}

function drawnElement(element: Element, draw: DrawElement): ReactNode {
  const children = drawn(element.children, draw);
  return draw(element, children) ?? usual(element, children);
}

function usual(element: Element, children: ReactNode): ReactNode {
  switch (element.tag) {
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
        // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark, and a text can have many tables
        <div
          role="group"
          aria-label="Table"
          className="overflow-x-auto"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this element
          tabIndex={0}
        >
          <table className="w-full border-collapse text-sm">{children}</table>
        </div>
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
