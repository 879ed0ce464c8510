import type { Engine } from './engine.ts';
import { EngineProblem } from './engine-problem.ts';

export interface ProblemLog {
  warn(fields: object, message: string): void;
}

/**
 * Returns the engine with a line in the log for each of its refusals. Users get a fixed sentence and a code, so the log is
 * where an operator reads what the engine wrote.
 */
export function loggedProblems(engine: Engine, log: ProblemLog): Engine {
  const logged = (error: unknown): never => {
    if (error instanceof EngineProblem) log.warn({ code: error.code, reason: error.words }, 'the engine refused');
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
  // With what has no name in text, such as the way to dispose of it.
  return { ...engine, ...Object.fromEntries(members) };
}
