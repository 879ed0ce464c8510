import { Lexer } from 'yaml';

/**
 * Methods and fields of the YAML library's lexer that are missing in its TypeScript types. A test fails if a newer
 * version of the library lacks these methods or fields.
 */
interface Internals {
  /** Minimum indentation of lines that continue the current YAML value. */
  indentNext: number;
  parseFlowCollection(): Generator<string, unknown>;
  parseQuotedScalar(): Generator<string, unknown>;
}

/**
 * Returns a YAML lexer that allows any indentation in brackets and quotes. YAML 1.2 forbids some indentations, but
 * templates for the older platform Cubeship use them.
 */
export function templateLexer(): Lexer {
  const lexer = new Lexer();
  const internals = lexer as unknown as Internals;
  for (const method of ['parseFlowCollection', 'parseQuotedScalar'] as const) {
    const parse = internals[method].bind(lexer);
    internals[method] = function* anyIndent() {
      const { indentNext } = internals;
      internals.indentNext = 0;
      const next = yield* parse();
      internals.indentNext = indentNext;
      return next;
    };
  }
  return lexer;
}
