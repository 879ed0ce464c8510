import type { Diagnostic, Path } from './diagnostic.ts';
import type { Position } from './document.ts';
import { LIMITS } from './yaml/limits.ts';

/** Location of a problem in a template file: path of the invalid value and its position in the text. */
export interface SourceLocation {
  path: Path;
  position: Position;
}

/**
 * Collects problems of a template. The number of problems is limited, because a file that is not a template could have
 * a million problems.
 */
export class Findings {
  readonly #found: Diagnostic[] = [];
  #more = 0;

  /**
   * Adds a problem to the list. If the list is full, only increases the number of problems. `hint` can be slow, so it
   * is called only for problems that are added to the list.
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
 * Returns a diagnostic about the problems that are not in the list because the list is full.
 * @param count number of these problems, or `null` if the number is unknown
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
