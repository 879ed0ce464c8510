import { type CST, Parser } from 'yaml';
import { templateLexer } from './lexer.ts';
import { LIMITS } from './limits.ts';

type Counted = 'tokens' | 'nodes' | 'directives';
type Over = Counted | 'text';

/** Tokens of the first YAML document in a text, or the limit that the text exceeds. */
export type Cut =
  | { tokens: CST.Token[]; more: number | null }
  /** `over` is the limit that the template file exceeds. `offset` is the position in the file where it is exceeded. */
  | { over: Over | 'depth'; offset: number };

/** Token that the YAML lexer emits before the text of an unquoted scalar or a block scalar. */
const SCALAR_MARK = '\u001f';
const DOCUMENT_MARK = '\u0002';
/**
 * Tokens that the YAML lexer emits although the text does not contain them. For example, `\u0018` ends an invalid flow
 * collection.
 */
const MARKS = new Set([DOCUMENT_MARK, '\u0018', SCALAR_MARK]);
const STARTS_A_NODE = new Set(['"', "'", '*', '[', '{', '-', '?', ',', SCALAR_MARK]);
const IS_QUOTED = /^["']/;
const IS_NOTHING = /^([ \t#%\n\r\ufeff]|---$|\.\.\.$|$)/;

/**
 * Splits a text into the tokens of its first YAML document. Checks the nesting and the number of tokens at every token,
 * because recursive functions process the resulting tree, and deep nesting could overflow the stack. `more` is the
 * offset of content after the first document, or `null`.
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
 * Replaces double quotes with single quotes if the text between them contains no special characters. This is faster,
 * because the YAML library reads double-quoted text character by character. The length stays the same, so offsets stay
 * valid.
 */
function withPlainQuotes(lexeme: string): string {
  return lexeme.startsWith('"') && /^"[^'\\\n\r]*"$/.test(lexeme) ? `'${lexeme.slice(1, -1)}'` : lexeme;
}

/**
 * Returns the offset of the first content after the first YAML document, or `null` if there is none. The search also
 * stops at the limits for template files, so that a file with many comments takes little time.
 */
function contentAfter(lexemes: Iterable<string>, tally: Tally): number | null {
  for (const lexeme of lexemes) {
    if (tally.add(lexeme)) return null;
    if (!IS_NOTHING.test(lexeme) && lexeme !== DOCUMENT_MARK) return tally.offset;
  }
  return null;
}

/** Counts YAML tokens by kind and compares the counts with the limits. */
class Tally {
  /** Offset of the last added token in the text. */
  offset = 0;
  #next = 0;
  #afterMark = false;
  readonly #counts: Record<Counted, number> = { tokens: 0, nodes: 0, directives: 0 };

  /** Counts a YAML token. Returns the limit that is now exceeded, or `null`. */
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
   * Returns `nodes` or `directives` if the YAML token counts towards this limit. Returns `null` for any other token.
   * The token after `SCALAR_MARK` is text, even if it begins with a special character.
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
