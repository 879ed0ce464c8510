import { type CST, Lexer, Parser } from 'yaml';
import { LIMITS } from './limits.ts';

/** The tokens of the first document, or why no more of the text was looked at. */
export type Cut =
  | { tokens: CST.Token[]; more: number | null }
  /** `offset`: what was read until then. */
  | { over: 'depth' | 'nodes' | 'tokens'; offset: number };

/** What the lexer puts before the text of a plain or block scalar. */
const SCALAR_MARK = '\u001f';
const DOCUMENT_MARK = '\u0002';
/** Marks without length in the text; the one between is the end of a broken flow collection. */
const MARKS = new Set([DOCUMENT_MARK, '\u0018', SCALAR_MARK]);
const STARTS_A_NODE = new Set(['"', "'", '*', '[', '{', '-', '?', ',', SCALAR_MARK]);
const IS_NOTHING = /^([ \t#%\n\r\ufeff]|---$|\.\.\.$|$)/;

/**
 * Takes the first document apart, and holds depth and counts against the limits at every token: nesting becomes a tree
 * that is walked by functions calling themselves, so that too much of it must never come to be. What follows is read
 * only up to the first that is neither a comment nor a mark: `more` is its offset.
 */
export function cutFirstDocument(text: string): Cut {
  const parser = new Parser();
  const lexemes = new Lexer().lex(text);
  const tokens: CST.Token[] = [];
  const counts = { tokens: 0, nodes: 0 };
  let offset = 0;
  let afterMark = false;
  for (const lexeme of lexemes) {
    counts.tokens += 1;
    if (!afterMark && STARTS_A_NODE.has(lexeme.charAt(0))) counts.nodes += 1;
    afterMark = lexeme === SCALAR_MARK;
    if (counts.tokens > LIMITS.tokens) return { over: 'tokens', offset };
    if (counts.nodes > LIMITS.nodes) return { over: 'nodes', offset };
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > LIMITS.depth) return { over: 'depth', offset };
    if (!MARKS.has(lexeme)) offset += lexeme.length;
    if (tokens.at(-1)?.type === 'document') return { tokens, more: contentAfter(lexemes, offset, counts.tokens) };
  }
  tokens.push(...parser.end());
  return { tokens, more: null };
}

/** Where the first content of a later document stands. */
function contentAfter(lexemes: Iterable<string>, from: number, already: number): number | null {
  let offset = from;
  let count = already;
  for (const lexeme of lexemes) {
    count += 1;
    if (!IS_NOTHING.test(lexeme) && lexeme !== DOCUMENT_MARK) return offset;
    // So many comments are not read to their end.
    if (count > LIMITS.tokens) return null;
    if (!MARKS.has(lexeme)) offset += lexeme.length;
  }
  return null;
}
