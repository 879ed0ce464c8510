import type { Diagnostic, Path } from './diagnostic.ts';
import type { Position } from './document.ts';
import { LIMITS } from './yaml/limits.ts';

/** A value and where it stands: a problem with it is told there. */
export interface Place {
  path: Path;
  position: Position;
}

/** Gathers what is found, up to a limit: a file with nothing right in it is no reason to say so a million times. */
export class Findings {
  readonly #found: Diagnostic[] = [];
  #more = 0;

  /** `hint` may take long to find, and is only asked for when it is told. */
  add(code: string, { path, position }: Place, message: string, hint?: () => string | undefined): void {
    if (this.#found.length >= LIMITS.problems) {
      this.#more += 1;
      return;
    }
    const found = hint?.();
    const told = found === undefined ? {} : { hint: found };
    this.#found.push({ severity: 'error', code, message, path: [...path], ...position, ...told });
  }

  all(): Diagnostic[] {
    if (this.#more === 0) return this.#found;
    return [...this.#found, moreProblem(this.#more)];
  }
}

/** Says that some are not listed; `count` is how many. */
export function moreProblem(count: number): Diagnostic {
  const message = `There are ${count} more problems of this kind, which are not listed.`;
  return { severity: 'info', code: 'check.more', message, path: [], hint: 'Correct those that are, and check again.' };
}
