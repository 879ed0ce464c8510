import { EngineProblem } from '../../engine-problem.ts';
import { EngineRefused, EngineUnavailable } from '../../errors.ts';
import { type EngineState, problemCodeOf, saysState } from './problem-codes.ts';

/** An answer of the engine's that is not a success; the status decides what a caller makes of it. */
export class Refusal extends EngineProblem {
  readonly status: number;

  constructor(doing: string, answer: EngineAnswer) {
    const words = wordsOf(answer);
    super(problemCodeOf(words), doing, words, { cause: answer });
    this.status = answer.status;
  }
}

/** The engine's refusal in a message of a stream, or by a program that it could not start. */
export function engineRefusal(doing: string, words: string): EngineProblem {
  return new EngineProblem(problemCodeOf(words), doing, words);
}

/** Whether the engine answered with this status. */
export function isStatus(error: unknown, ...statuses: number[]): error is Refusal {
  return error instanceof Refusal && statuses.includes(error.status);
}

/** Whether the engine refused because of a state: it has no code and no status for it. */
export function isRefusedIn(error: unknown, state: EngineState): boolean {
  return error instanceof Refusal && saysState(error.words, state);
}

/** An answer that is not a success, as it came. */
export class EngineAnswer extends Error {
  override name = 'EngineAnswer';
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`the engine answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** What each error of the connection means for the person who runs the machine. */
const CONNECTION: Record<string, (address: string) => string> = {
  ENOENT: (at) => `There is no Docker Engine at ${at}: start it (systemctl start docker) or set DOCKER_HOST.`,
  ECONNREFUSED: (at) =>
    `Nothing answers at ${at}: start the Docker Engine (systemctl start docker) or set DOCKER_HOST.`,
  EACCES: (at) => `This user may not use ${at}: run as root or join the group docker.`,
  EPERM: (at) => `This user may not use ${at}: run as root or join the group docker.`,
  ENOTFOUND: (at) => `The host of ${at} is not known: correct DOCKER_HOST.`,
  ETIMEDOUT: (at) => `The Docker Engine at ${at} does not answer: check that it runs and that DOCKER_HOST is right.`,
  EHOSTUNREACH: (at) => `The Docker Engine at ${at} cannot be reached: check the network and DOCKER_HOST.`,
};

/**
 * Turns what a call threw into the interface's errors.
 * @param doing what was tried, for example `create container`
 * @param address where the engine was looked for
 */
export function translate(cause: unknown, doing: string, address: string): Error {
  if (cause instanceof EngineAnswer) return new Refusal(doing, cause);
  const error = cause as Error & { code?: string };
  if (error instanceof EngineRefused || error instanceof EngineUnavailable) return error;
  const sentence = CONNECTION[error.code ?? '']?.(address);
  if (sentence !== undefined) return new EngineUnavailable(sentence, { cause });
  return new EngineUnavailable(
    `The connection to the Docker Engine at ${address} broke (${doing}): check that it runs.`,
    { cause },
  );
}

/** The engine did not answer in time. */
export function timedOut(doing: string, address: string, timeoutMs: number): EngineUnavailable {
  return new EngineUnavailable(
    `The Docker Engine at ${address} did not answer within ${timeoutMs / 1000} s (${doing}): check its load and its log.`,
  );
}

/** The engine's own words. */
function wordsOf({ body, message }: EngineAnswer): string {
  try {
    const { message: words } = JSON.parse(body) as { message?: unknown };
    if (typeof words === 'string') return words.trim();
  } catch {
    // Not JSON: something between us and the engine answered, in words of its own.
  }
  return body.trim() || message;
}
