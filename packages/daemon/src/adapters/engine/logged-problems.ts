import type { Engine } from './engine.ts';
import { EngineProblem } from './engine-problem.ts';

export interface ProblemLog {
  warn(fields: object, message: string): void;
}

/**
 * Wraps an `Engine` object and logs each `EngineProblem` error. Users get only an error code and a fixed sentence, so
 * only the log contains Docker's own error text.
 */
export function loggedProblems(engine: Engine, log: ProblemLog): Engine {
  const logged = (error: unknown): never => {
    if (error instanceof EngineProblem) log.warn({ code: error.code, reason: error.words }, 'Docker refused a request');
    throw error;
  };
  const members = Object.entries(engine).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member];
    return [
      name,
      (...args: unknown[]) => {
        const result: unknown = member.apply(engine, args);
        return result instanceof Promise ? result.catch(logged) : result;
      },
    ];
  });
  // The object spread also copies methods whose name is a symbol, such as `Symbol.asyncDispose`.
  return { ...engine, ...Object.fromEntries(members) };
}
