import { DavitError } from '@davit/api';
import { CliError } from '../errors/exit.ts';

/**
 * Collects the completed steps of a command. If the command fails, its message lists these steps and says that a
 * repetition is safe.
 */
export class Story {
  readonly #done: string[] = [];
  #isPushed = false;

  /**
   * Adds a step.
   * @param what sentence such as `the settings were saved`
   */
  add(what: string): void {
    this.#done.push(what);
  }

  /** Records the push. The instance may automatically deploy from now on. */
  pushed(tag: string): void {
    this.add(`the image was pushed as ${tag}`);
    this.#isPushed = true;
  }

  /** Returns the error with the completed steps added to its message. */
  failure(error: unknown, signal: AbortSignal): unknown {
    const isTold = error instanceof CliError || error instanceof DavitError;
    if (!isTold) return signal.aborted ? new CliError('interrupted', `Interrupted: ${this.#sentence()}`) : error;
    if (this.#done.length === 0) return error;
    const message = `${ended(error.message)} Before that, ${this.#sentence()}`;
    if (error instanceof CliError) {
      return new CliError(error.exit, message, { refusal: error.refusal, cause: error });
    }
    const { code, status, fields, retryable, retryAfterS, requestId, quota } = error;
    const known = { status, fields, retryable, retryAfterS, requestId, quota };
    return new DavitError(code, message, { ...known, cause: error });
  }

  #sentence(): string {
    if (this.#done.length === 0) return 'nothing was changed.';
    const rest = this.#isPushed
      ? 'the instance deploys the image automatically, unless the app has a pinned tag'
      : 'nothing was deployed';
    return `${this.#done.join(', ')}; ${rest}. Run \`davit up\` again: completed steps are skipped.`;
  }
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
