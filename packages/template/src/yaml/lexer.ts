import { Lexer } from 'yaml';

/** What of the library’s lexer is not declared: a test notices when a newer one has it no more. */
interface Internals {
  /** The least indent of what continues the current value. */
  indentNext: number;
  parseFlowCollection(): Generator<string, unknown>;
  parseQuotedScalar(): Generator<string, unknown>;
}

/**
 * The library’s lexer, with one rule of YAML 1.2 less: between brackets and between quotes a line may begin wherever it
 * likes. The older format’s reader never asked for more, and there are files that need it.
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
