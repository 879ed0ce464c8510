import type { Diagnostic, Path } from './diagnostic.ts';
import type { Position } from './document.ts';
import { LIMITS } from './yaml/limits.ts';

/** Location of a problem in a template file: the path of the affected value, and its position in the text. */
export interface SourceLocation {
  path: Path;
  position: Position;
}

/**
 * Collects problems of a template up to a limit, because a file that is not a template could have a million problems.
 */
export class Findings {
  readonly #found: Diagnostic[] = [];
  #more = 0;

  /**
   * Adds a problem to the list of a template's problems. If the list is full, only counts the problem. `hint` is called
   * only for problems in the list, because it can be slow.
   */
  add(code: string, { path, position }: SourceLocation, message: string, hint?: () => string | undefined): void {
    if (this.#found.length >= LIMITS.problems) {
      this.#more += 1;
      return;
    }
    const found = hint?.();
    const hintField = found === undefined ? {} : { hint: found };
    this.#found.push({ severity: 'error', code, message, path: [...path], ...position, ...hintField });
  }

  all(): Diagnostic[] {
    if (this.#more === 0) return this.#found;
    return [...this.#found, moreProblem(this.#more)];
  }
}

/**
 * Returns a diagnostic for the problems that are not listed, because there are too many.
 * @param count number of these problems, or `null` if the check did not count them
 */
export function moreProblem(count: number | null): Diagnostic {
  const message = `${count === null ? 'Further' : `${count} more`} problems of this group are not listed.`;
  return {
    severity: 'info',
    code: 'check.more',
    message,
    path: [],
    hint: 'Correct the listed problems, then check the file again.',
  };
}
