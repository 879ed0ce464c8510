import { type CST, Parser } from 'yaml';
import { templateLexer } from './lexer.ts';
import { LIMITS } from './limits.ts';

type Counted = 'tokens' | 'nodes' | 'directives';
type Over = Counted | 'text';

/** The tokens of the first document, or why no more of the text was looked at. */
export type Cut =
  | { tokens: CST.Token[]; more: number | null }
  /** `offset`: what was read until then. */
  | { over: Over | 'depth'; offset: number };

/** What the lexer puts before the text of a plain or block scalar. */
const SCALAR_MARK = '\u001f';
const DOCUMENT_MARK = '\u0002';
/** Marks without length in the text; the one between is the end of a broken flow collection. */
const MARKS = new Set([DOCUMENT_MARK, '\u0018', SCALAR_MARK]);
const STARTS_A_NODE = new Set(['"', "'", '*', '[', '{', '-', '?', ',', SCALAR_MARK]);
const IS_QUOTED = /^["']/;
const IS_NOTHING = /^([ \t#%\n\r\ufeff]|---$|\.\.\.$|$)/;

/**
 * Takes the first document apart, and holds depth and counts against the limits at every token: nesting becomes a tree
 * that is walked by functions calling themselves, so that too much of it must never come to be. What follows is read
 * only up to the first that is neither a comment nor a mark: `more` is its offset.
 */
export function cutFirstDocument(text: string): Cut {
  const parser = new Parser();
  const lexemes = templateLexer().lex(text);
  const tokens: CST.Token[] = [];
  const tally = new Tally();
  for (const lexeme of lexemes) {
    const over = tally.add(lexeme);
    if (over) return { over, offset: tally.offset };
    for (const token of parser.next(withPlainQuotes(lexeme))) tokens.push(token);
    if (parser.stack.length > LIMITS.depth) return { over: 'depth', offset: tally.offset };
    if (tokens.at(-1)?.type === 'document') return { tokens, more: contentAfter(lexemes, tally) };
  }
  tokens.push(...parser.end());
  return { tokens, more: null };
}

/**
 * Text in double quotes without anything special in it is the same in single ones, as long, and what the library reads
 * at once: the other it puts together character by character.
 */
function withPlainQuotes(lexeme: string): string {
  return lexeme.startsWith('"') && /^"[^'\\\n\r]*"$/.test(lexeme) ? `'${lexeme.slice(1, -1)}'` : lexeme;
}

/** Where the first content of a later document stands; comments are not read for ever. */
function contentAfter(lexemes: Iterable<string>, tally: Tally): number | null {
  for (const lexeme of lexemes) {
    if (tally.add(lexeme)) return null;
    if (!IS_NOTHING.test(lexeme) && lexeme !== DOCUMENT_MARK) return tally.offset;
  }
  return null;
}

/** Counts what a text is made of. */
class Tally {
  /** Of the token that was added last. */
  offset = 0;
  #next = 0;
  #afterMark = false;
  readonly #counts: Record<Counted, number> = { tokens: 0, nodes: 0, directives: 0 };

  /** Says what there is too much of with this token. */
  add(lexeme: string): Over | null {
    this.offset = this.#next;
    if (lexeme.length > 1 || !MARKS.has(lexeme)) this.#next += lexeme.length;
    if (lexeme.length > LIMITS.text && (this.#afterMark || IS_QUOTED.test(lexeme))) return 'text';
    const kind = this.#kindOf(lexeme);
    this.#afterMark = lexeme === SCALAR_MARK;
    if (this.#isOver('tokens')) return 'tokens';
    return kind && this.#isOver(kind) ? kind : null;
  }

  /** What follows a mark is the text of a scalar, whatever it begins with. */
  #kindOf(lexeme: string): Counted | null {
    if (this.#afterMark) return null;
    const first = lexeme.charAt(0);
    if (first === '%') return 'directives';
    return STARTS_A_NODE.has(first) ? 'nodes' : null;
  }

  #isOver(what: Counted): boolean {
    this.#counts[what] += 1;
    return this.#counts[what] > LIMITS[what];
  }
}
