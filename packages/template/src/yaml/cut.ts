import { type CST, Parser } from 'yaml';
import { templateLexer } from './lexer.ts';
import { LIMITS } from './limits.ts';

type Counted = 'tokens' | 'nodes' | 'directives';
type Over = Counted | 'text';

/**
 * Result of splitting a template file into tokens: the tokens of the first YAML document, or the limit that the file
 * exceeds.
 */
export type Cut =
  /** `more` is the position of content after the first YAML document, or `null` if there is no such content. */
  | { tokens: CST.Token[]; more: number | null }
  /** The file exceeds the limit `over` at the position `offset`. */
  | { over: Over | 'depth'; offset: number };

/** Token that the YAML lexer emits before the text of an unquoted scalar or a block scalar. */
const SCALAR_MARK = '\u001f';
const DOCUMENT_MARK = '\u0002';
/**
 * Control characters that the YAML lexer inserts, for example at the start of a document. The file does not contain
 * these characters, so positions in the file ignore them.
 */
const MARKS = new Set([DOCUMENT_MARK, '\u0018', SCALAR_MARK]);
const STARTS_A_NODE = new Set(['"', "'", '*', '[', '{', '-', '?', ',', SCALAR_MARK]);
const IS_QUOTED = /^["']/;
const IS_NOTHING = /^([ \t#%\n\r\ufeff]|---$|\.\.\.$|$)/;

/**
 * Splits the first YAML document of a text into tokens. Stops if a limit is exceeded, because a deeply nested document
 * could overflow the stack.
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
 * Replaces double quotes with single quotes if possible, because the YAML library parses double-quoted text slowly. The
 * positions in the file do not change.
 */
function withPlainQuotes(lexeme: string): string {
  return lexeme.startsWith('"') && /^"[^'\\\n\r]*"$/.test(lexeme) ? `'${lexeme.slice(1, -1)}'` : lexeme;
}

/**
 * Returns the position of content after the first YAML document, or `null`. The length of the search is limited,
 * because a file can contain many comments.
 */
function contentAfter(lexemes: Iterable<string>, tally: Tally): number | null {
  for (const lexeme of lexemes) {
    if (tally.add(lexeme)) return null;
    if (!IS_NOTHING.test(lexeme) && lexeme !== DOCUMENT_MARK) return tally.offset;
  }
  return null;
}

/** Counts YAML tokens by kind, and compares the numbers with the limits. */
class Tally {
  /** Position in the file at which the last counted YAML token begins. */
  offset = 0;
  #next = 0;
  #afterMark = false;
  readonly #counts: Record<Counted, number> = { tokens: 0, nodes: 0, directives: 0 };

  /**
   * Counts a YAML token. Returns the name of the exceeded limit if there are too many tokens or if the token is too
   * long. Otherwise, returns `null`.
   */
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
   * Returns the kind of a YAML token if the number of such tokens is limited. Otherwise, returns `null`. A token after
   * `SCALAR_MARK` is plain text, even if it starts with `%`.
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
