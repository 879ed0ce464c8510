import { type CST, Parser } from 'yaml';
import { templateLexer } from './lexer.ts';
import { LIMITS } from './limits.ts';

type Counted = 'tokens' | 'nodes' | 'directives';
type Over = Counted | 'text';

/** Tokens of the first document, or the limit that the text exceeds. */
export type Cut =
  | { tokens: CST.Token[]; more: number | null }
  /** `offset` is the end of the text that was read. */
  | { over: Over | 'depth'; offset: number };

/** Token that the lexer puts before the text of a plain or block scalar. */
const SCALAR_MARK = '\u001f';
const DOCUMENT_MARK = '\u0002';
/** Tokens without length in the text. The second one ends a broken flow collection. */
const MARKS = new Set([DOCUMENT_MARK, '\u0018', SCALAR_MARK]);
const STARTS_A_NODE = new Set(['"', "'", '*', '[', '{', '-', '?', ',', SCALAR_MARK]);
const IS_QUOTED = /^["']/;
const IS_NOTHING = /^([ \t#%\n\r\ufeff]|---$|\.\.\.$|$)/;

/**
 * Splits off the first document and checks depth and counts at every token. Recursive functions walk the resulting
 * tree, so a deeply nested tree must never be created.
 * The text after the document is read up to the first token other than comments and markers. `more` is the offset of
 * this token.
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
 * Replaces double quotes by single quotes if the text contains nothing special. The length stays the same, and the
 * library reads single-quoted text at once instead of character by character.
 */
function withPlainQuotes(lexeme: string): string {
  return lexeme.startsWith('"') && /^"[^'\\\n\r]*"$/.test(lexeme) ? `'${lexeme.slice(1, -1)}'` : lexeme;
}

/**
 * Returns the offset of the first content of a later document, or `null`. The limits also apply here, so that endless
 * comments are not read.
 */
function contentAfter(lexemes: Iterable<string>, tally: Tally): number | null {
  for (const lexeme of lexemes) {
    if (tally.add(lexeme)) return null;
    if (!IS_NOTHING.test(lexeme) && lexeme !== DOCUMENT_MARK) return tally.offset;
  }
  return null;
}

/** Counts the tokens of a text. */
class Tally {
  /** Offset of the last added token. */
  offset = 0;
  #next = 0;
  #afterMark = false;
  readonly #counts: Record<Counted, number> = { tokens: 0, nodes: 0, directives: 0 };

  /** Adds a token. Returns the limit that is exceeded, or `null`. */
  add(lexeme: string): Over | null {
    this.offset = this.#next;
    if (lexeme.length > 1 || !MARKS.has(lexeme)) this.#next += lexeme.length;
    if (lexeme.length > LIMITS.text && (this.#afterMark || IS_QUOTED.test(lexeme))) return 'text';
    const kind = this.#kindOf(lexeme);
    this.#afterMark = lexeme === SCALAR_MARK;
    if (this.#isOver('tokens')) return 'tokens';
    return kind && this.#isOver(kind) ? kind : null;
  }

  /**
   * Returns what a token counts as. The token after a scalar mark is the text of a scalar, whatever its first character
   * is.
   */
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
