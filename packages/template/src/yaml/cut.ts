import { type CST, Parser } from 'yaml';
import { templateLexer } from './lexer.ts';
import { LIMITS } from './limits.ts';

type Counted = 'tokens' | 'nodes' | 'directives';
type Over = Counted | 'text';

/** Tokens of the first YAML document in a text, or the limit that the text exceeds. */
export type Cut =
  | { tokens: CST.Token[]; more: number | null }
  /** `offset` is the position in the text at which the limit is exceeded. */
  | { over: Over | 'depth'; offset: number };

/** Token that the YAML lexer emits before the text of a plain or block scalar. */
const SCALAR_MARK = '\u001f';
const DOCUMENT_MARK = '\u0002';
/** YAML tokens that are not part of the text. `\u0018` ends an invalid flow collection. */
const MARKS = new Set([DOCUMENT_MARK, '\u0018', SCALAR_MARK]);
const STARTS_A_NODE = new Set(['"', "'", '*', '[', '{', '-', '?', ',', SCALAR_MARK]);
const IS_QUOTED = /^["']/;
const IS_NOTHING = /^([ \t#%\n\r\ufeff]|---$|\.\.\.$|$)/;

/**
 * Splits a text into the tokens of its first YAML document. Depth and counts are checked at every token. Recursive
 * functions process the resulting tree, so a deeply nested tree could overflow the stack. `more` is the offset of
 * content after the first document, or `null`.
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
 * Replaces double quotes by single quotes if the text between them contains nothing special. The YAML library then
 * reads the text at once instead of character by character. The length does not change, so offsets stay valid.
 */
function withPlainQuotes(lexeme: string): string {
  return lexeme.startsWith('"') && /^"[^'\\\n\r]*"$/.test(lexeme) ? `'${lexeme.slice(1, -1)}'` : lexeme;
}

/**
 * Returns the offset of the first content after the first YAML document, or `null`. Reading stops at the limits too, so
 * that many comments cost little time.
 */
function contentAfter(lexemes: Iterable<string>, tally: Tally): number | null {
  for (const lexeme of lexemes) {
    if (tally.add(lexeme)) return null;
    if (!IS_NOTHING.test(lexeme) && lexeme !== DOCUMENT_MARK) return tally.offset;
  }
  return null;
}

/** Counts YAML tokens and compares the counts with the limits. */
class Tally {
  /** Offset of the last added token in the text. */
  offset = 0;
  #next = 0;
  #afterMark = false;
  readonly #counts: Record<Counted, number> = { tokens: 0, nodes: 0, directives: 0 };

  /** Adds a YAML token. Returns the limit that is exceeded, or `null`. */
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
   * Returns the count that a YAML token belongs to, or `null`. The token after a scalar mark is text, even if it begins
   * with a special character.
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
