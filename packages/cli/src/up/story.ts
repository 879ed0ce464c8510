import { DavitError } from '@davit/api';
import { CliError, type ExitName, exitOf } from '../errors/exit.ts';

/** Exit codes of errors after which the same command can succeed without a change by the user. */
const TEMPORARY: readonly ExitName[] = ['unreachable', 'busy', 'interrupted'];

/**
 * Collects the changes that `davit up` has made. If the command fails, the error message lists these changes and says
 * whether the user must solve a problem before the next run.
 */
export class Story {
  readonly #done: string[] = [];
  #isPushed = false;

  /**
   * Records a change that `davit up` has made. If the command fails later, the error message lists this change.
   * @param what description such as `the settings were saved`
   */
  add(what: string): void {
    this.#done.push(what);
  }

  /** Records that the image was pushed. After the push, the instance may automatically deploy the image. */
  pushed(tag: string): void {
    this.add(`the image was pushed as ${tag}`);
    this.#isPushed = true;
  }

  /** Returns an error whose message also lists the changes that `davit up` has made. */
  failure(error: unknown, signal: AbortSignal): unknown {
    const isKnownError = error instanceof CliError || error instanceof DavitError;
    if (!isKnownError)
      return signal.aborted ? new CliError('interrupted', `Interrupted: ${this.#sentence(true)}`) : error;
    if (this.#done.length === 0) return error;
    const message = `${ended(error.message)} Before that, ${this.#sentence(isTemporary(error))}`;
    if (error instanceof CliError) {
      return new CliError(error.exit, message, { refusal: error.refusal, help: error.help, cause: error });
    }
    const { code, status, fields, retryable, retryAfterS, requestId, quota, help } = error;
    const known = { status, fields, retryable, retryAfterS, requestId, quota, help };
    return new DavitError(code, message, { ...known, cause: error });
  }

  #sentence(canRepeat: boolean): string {
    if (this.#done.length === 0) return 'nothing was changed.';
    const rest = this.#isPushed
      ? 'the instance deploys the image automatically, unless the app has a pinned tag'
      : 'nothing was deployed';
    const next = canRepeat ? 'Run' : 'Solve the problem, then run';
    return `${this.#done.join(', ')}; ${rest}. ${next} \`davit up\` again: completed steps are skipped.`;
  }
}

/** Returns whether the same command can succeed later without a change by the user. */
function isTemporary(error: CliError | DavitError): boolean {
  if (error instanceof DavitError && error.retryable) return true;
  return TEMPORARY.includes(error instanceof CliError ? error.exit : exitOf(error));
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
