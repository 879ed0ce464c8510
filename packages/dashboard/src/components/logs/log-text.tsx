import type { CSSProperties, ReactNode } from 'react';
import { type Look, type Piece, piecesOf } from './ansi.ts';
import { backgroundColours, textColour } from './colour.ts';
import { type Range, rangesIn } from './find.ts';
import { jsonLine } from './json-line.ts';

/**
 * Returns the CSS styles for a piece of terminal output. The output is rendered only as text nodes with these styles,
 * so that the browser never interprets it as HTML.
 */
function styleOf(look: Look): CSSProperties {
  const { colour, ground, bold, italic, underline, struck } = look;
  const decoration = [underline && 'underline', struck && 'line-through'].filter(Boolean).join(' ');
  return {
    ...(typeof ground === 'number' && { backgroundColor: `var(--ansi-${ground})`, color: 'var(--panel)' }),
    ...(ground !== null && typeof ground !== 'number' && backgroundColours(ground)),
    ...(typeof colour === 'number' && ground === null && { color: `var(--ansi-${colour})` }),
    ...(colour !== null && typeof colour !== 'number' && ground === null && { color: textColour(colour) }),
    ...(bold && { fontWeight: 700 }),
    ...(italic && { fontStyle: 'italic' }),
    ...(decoration !== '' && { textDecorationLine: decoration }),
  };
}

function classOf({ inverse, dim, colour, ground }: Look): string | undefined {
  if (inverse) return 'log-inverse';
  return dim && colour === null && ground === null ? 'log-dim' : undefined;
}

/**
 * Renders the pieces of a log line and highlights the search matches. A search match may extend over several pieces
 * with different colors.
 */
function marked(pieces: readonly Piece[], ranges: readonly Range[]): ReactNode[] {
  const nodes: ReactNode[] = [];
  let start = 0;
  for (const { text, look } of pieces) {
    const inner = cut(text, start, ranges);
    nodes.push(
      look === null ? (
        inner
      ) : (
        <span key={start} style={styleOf(look)} className={classOf(look)}>
          {inner}
        </span>
      ),
    );
    start += text.length;
  }
  return nodes;
}

function cut(text: string, start: number, ranges: readonly Range[]): ReactNode {
  const within = ranges.filter(([from, to]) => to > start && from < start + text.length);
  if (within.length === 0) return text;
  const nodes: ReactNode[] = [];
  let at = 0;
  for (const [from, to] of within) {
    const [first, last] = [Math.max(0, from - start), Math.min(text.length, to - start)];
    nodes.push(text.slice(at, first), <mark key={first}>{text.slice(first, last)}</mark>);
    at = last;
  }
  return [...nodes, text.slice(at)];
}

/** Renders a log line in its terminal colors and highlights search matches. */
export function LogText({ line, sought, raw }: { line: string; sought: string; raw: boolean }) {
  const json = raw ? null : jsonLine(line);
  if (json !== null) return <JsonText {...json} sought={sought} />;
  const pieces = piecesOf(line);
  const ranges = sought === '' ? [] : rangesIn(pieces.map(({ text }) => text).join(''), sought);
  return marked(pieces, ranges);
}

function JsonText({ message, fields, sought }: { message: string; fields: [string, string][]; sought: string }) {
  return (
    <>
      {message !== '' && <LogText line={message} sought={sought} raw />}
      {fields.map(([name, value]) => (
        <span key={name}>
          {' '}
          <span className="text-soft">
            <LogText line={`${name}=`} sought={sought} raw />
          </span>
          <LogText
            line={/[\s"=]/.test(value) && !/^[[{]/.test(value) ? JSON.stringify(value) : value}
            sought={sought}
            raw
          />
        </span>
      ))}
    </>
  );
}
