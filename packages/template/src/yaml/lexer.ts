import { Lexer } from 'yaml';

/**
 * Methods and fields of the YAML library's lexer that its types do not declare. A test fails if a newer version of the
 * library does not have them.
 */
interface Internals {
  /** Minimum indentation of lines that continue the current value. */
  indentNext: number;
  parseFlowCollection(): Generator<string, unknown>;
  parseQuotedScalar(): Generator<string, unknown>;
}

/**
 * Returns a YAML lexer without one rule of YAML 1.2: lines between brackets or quotes may have any indentation.
 * Cubeship's YAML parser does not have this rule, and existing templates depend on that.
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
