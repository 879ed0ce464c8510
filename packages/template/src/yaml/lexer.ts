import { Lexer } from 'yaml';

/** Undeclared methods and fields of the library's lexer. A test fails if a newer version does not have them. */
interface Internals {
  /** Minimum indent of the lines that continue the current value. */
  indentNext: number;
  parseFlowCollection(): Generator<string, unknown>;
  parseQuotedScalar(): Generator<string, unknown>;
}

/**
 * Returns the lexer of the library without one rule of YAML 1.2: lines between brackets or quotes may have any indent.
 * The parser of the older format did not have this rule, and existing files depend on that.
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
