import { EngineProblem } from '../../engine-problem.ts';
import { EngineRefused, EngineUnavailable } from '../../errors.ts';
import { type EngineState, problemCodeOf, saysState } from './problem-codes.ts';

/** Error for a Docker response with an HTTP error status. Callers check the status to decide how to continue. */
export class Refusal extends EngineProblem {
  readonly status: number;

  constructor(doing: string, answer: EngineAnswer) {
    const words = wordsOf(answer);
    super(problemCodeOf(words), doing, words, { cause: answer });
    this.status = answer.status;
  }
}

/**
 * Converts an error text of Docker into an `EngineProblem`. The text comes from a response stream, or from a command
 * that could not start.
 */
export function engineRefusal(doing: string, words: string): EngineProblem {
  return new EngineProblem(problemCodeOf(words), doing, words);
}

/** Returns whether an error is a Docker response with one of the given HTTP statuses. */
export function isStatus(error: unknown, ...statuses: number[]): error is Refusal {
  return error instanceof Refusal && statuses.includes(error.status);
}

/** Waits for a request that removes or stops an object. Ignores that the object no longer exists. */
export async function ignoringGone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
}

/**
 * Returns whether Docker refused a request because of the given state, such as `already_connected`. Only Docker's error
 * text shows the state.
 */
export function isRefusedIn(error: unknown, state: EngineState): boolean {
  return error instanceof Refusal && saysState(error.words, state);
}

/** Docker response with an HTTP error status and the unchanged response body. */
export class EngineAnswer extends Error {
  override name = 'EngineAnswer';
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`Docker returned status ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** Map from the code of a connection error to an error message. The message tells operators what to do. */
const CONNECTION: Record<string, (address: string) => string> = {
  ENOENT: (at) => `No Docker Engine was found at ${at}. Start it (systemctl start docker) or set DOCKER_HOST.`,
  ECONNREFUSED: (at) =>
    `The Docker Engine at ${at} refuses connections. Start it (systemctl start docker) or set DOCKER_HOST.`,
  EACCES: (at) => `This user has no access to ${at}. Run Davit as root, or add the user to the “docker” group.`,
  EPERM: (at) => `This user has no access to ${at}. Run Davit as root, or add the user to the “docker” group.`,
  ENOTFOUND: (at) => `The host name of ${at} cannot be resolved. Correct DOCKER_HOST.`,
  ETIMEDOUT: (at) =>
    `The Docker Engine at ${at} does not respond. Check that Docker is running and that DOCKER_HOST is correct.`,
  EHOSTUNREACH: (at) => `The Docker Engine at ${at} cannot be reached. Check the network and DOCKER_HOST.`,
};

/**
 * Converts an error of a Docker request into `EngineRefused` or `EngineUnavailable`.
 * @param doing name of the request, for example `create container`
 */
export function translate(cause: unknown, doing: string, address: string): Error {
  if (cause instanceof EngineAnswer) return new Refusal(doing, cause);
  const error = cause as Error & { code?: string };
  if (error instanceof EngineRefused || error instanceof EngineUnavailable) return error;
  const sentence = CONNECTION[error.code ?? '']?.(address);
  if (sentence !== undefined) return new EngineUnavailable(sentence, { cause });
  return new EngineUnavailable(
    `The connection to the Docker Engine at ${address} was lost (${doing}). Check that Docker is running.`,
    { cause },
  );
}

export function timedOut(doing: string, address: string, timeoutMs: number): EngineUnavailable {
  return new EngineUnavailable(
    `The Docker Engine at ${address} did not respond within ${timeoutMs / 1000} s (${doing}). Check its load and its log.`,
  );
}

/** Returns the error text of a Docker response. */
function wordsOf({ body, message }: EngineAnswer): string {
  try {
    const { message: words } = JSON.parse(body) as { message?: unknown };
    if (typeof words === 'string') return words.trim();
  } catch {
    // A response that is not JSON does not come from Docker itself. It can come from a proxy between Davit and Docker.
  }
  return body.trim() || message;
}
