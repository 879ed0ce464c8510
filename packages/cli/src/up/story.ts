import { DavitError } from '@davit/api';
import { CliError } from '../errors/exit.ts';

/**
 * Collects the changes that `davit up` has made. If the command fails, the error message lists them and says that it is
 * safe to run the command again.
 */
export class Story {
  readonly #done: string[] = [];
  #isPushed = false;

  /**
   * Adds a completed change.
   * @param what text such as `the settings were saved`
   */
  add(what: string): void {
    this.#done.push(what);
  }

  /** Records that the image was pushed. From then on, the instance may deploy it automatically. */
  pushed(tag: string): void {
    this.add(`the image was pushed as ${tag}`);
    this.#isPushed = true;
  }

  /** Returns an error whose message also lists the completed changes. */
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
