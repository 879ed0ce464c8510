import { Fragment, type ReactNode } from 'react';
import { type Block, blocksOf, type Inline } from './readme.ts';

/** What the author wrote, drawn as text: nothing of it is taken as HTML. */
export function ReadmeView({ markdown, title }: { markdown: string; title: string }) {
  const blocks = withoutTitle(blocksOf(markdown), title);
  if (blocks.length === 0) return <p className="text-sm text-soft">Its author wrote nothing about it.</p>;
  return (
    <div className="flex min-w-0 flex-col gap-3 text-sm break-words">
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text that stays as it is
        <Fragment key={at}>{drawn(block)}</Fragment>
      ))}
    </div>
  );
}

/** The page says it already. */
function withoutTitle(blocks: Block[], title: string): Block[] {
  const [first, ...rest] = blocks;
  const words = first?.kind === 'heading' ? first.inline.map(({ text }) => text).join('') : null;
  return words?.trim().toLowerCase() === title.trim().toLowerCase() ? rest : blocks;
}

function drawn(block: Block): ReactNode {
  switch (block.kind) {
    case 'heading':
      // Below the title of the card, whatever level its author gave it.
      return <h3 className={block.level === 3 ? 'text-sm' : 'pt-1 text-base'}>{spans(block.inline)}</h3>;
    case 'paragraph':
      return <p>{spans(block.inline)}</p>;
    case 'quote':
      return <blockquote className="border-l-2 border-edge pl-3 text-soft">{spans(block.inline)}</blockquote>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is moved by keys too
        <pre tabIndex={0} className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">
          {block.text}
        </pre>
      );
    case 'list': {
      const items = block.items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text that stays as it is
        <li key={at}>{spans(item)}</li>
      ));
      return block.ordered ? (
        <ol className="list-decimal pl-6">{items}</ol>
      ) : (
        <ul className="list-disc pl-6">{items}</ul>
      );
    }
    case 'table':
      return <ReadmeTable rows={block.rows} />;
  }
}

function ReadmeTable({ rows: [head = [], ...rows] }: { rows: Inline[][][] }) {
  return (
    <section
      aria-label="Table"
      className="overflow-x-auto"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is moved by keys too
      tabIndex={0}
    >
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-left text-xs text-soft">
            {head.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a text that stays as it is
              <th key={at} scope="col" className="px-2 py-1.5 font-medium">
                {spans(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text that stays as it is
            <tr key={at} className="border-b border-line last:border-0">
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a text that stays as it is
                <td key={column} className="px-2 py-1.5 align-top">
                  {spans(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function spans(parts: readonly Inline[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a text that stays as it is
  return parts.map((part, at) => <Fragment key={at}>{span(part)}</Fragment>);
}

function span(part: Inline): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return <code className="rounded bg-sunken px-1 font-mono text-xs">{part.text}</code>;
    case 'strong':
      return <strong>{part.text}</strong>;
    case 'emphasis':
      return <em>{part.text}</em>;
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noreferrer nofollow" className="text-accent underline">
          {part.text}
        </a>
      );
  }
}
