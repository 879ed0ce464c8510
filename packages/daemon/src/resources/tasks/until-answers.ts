import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../../adapters/engine/engine.ts';
import { TaskFailed, type TaskLimits } from './kind.ts';

const LAST_LINES = 50;

/**
 * Delay between checks of a starting container, as a fraction of the time since the start. The first checks are
 * frequent, so that a fast start is noticed at once.
 */
const PAUSE_SHARE = 0.02;
const FIRST_PAUSE_MS = 10;

export interface Starting {
  /** Name of the service at the start of error messages, for example `The database`. */
  what: string;
  /** Returns the id of the service's container, or `null` if the service no longer has a container. */
  container: () => string | null;
  /**
   * Checks whether the container responds. Returns `null` if the container responds, otherwise the reason. The reason
   * is empty if it is unknown.
   */
  problem: (container: string) => Promise<string | null>;
}

type ContainerInspector = Pick<Engine, 'observe' | 'lastLines'>;

/**
 * Waits until a container responds.
 * @throws TaskFailed with the container's last output after an exit or a timeout; EngineUnavailable; the reason of
 * `signal`
 */
export async function untilAnswers(
  engine: ContainerInspector,
  starting: Starting,
  limits: TaskLimits,
  signal: AbortSignal,
): Promise<void> {
  const { what } = starting;
  const began = performance.now();
  let lookedAt = began;
  for (;;) {
    const container = starting.container();
    if (container === null) throw new TaskFailed(`The container of ${what} does not exist anymore.`);
    const problem = await starting.problem(container);
    if (problem === null) return;
    const waited = performance.now() - began;
    const isLate = waited > limits.readyMs;
    /*
     * Docker needs more time for a list of all containers than for the check of one container. So request the list less
     * often.
     */
    if (isLate || performance.now() - lookedAt >= limits.readyEveryMs) {
      const ended = await whyEnded(engine, container, signal);
      if (ended !== null) throw await gaveUp(engine, container, what, ended);
      lookedAt = performance.now();
    }
    if (isLate) {
      const late = `The container did not respond within ${limits.readyMs / 1_000} s. ${problem}`.trim();
      throw await gaveUp(engine, container, what, late);
    }
    const pause = Math.min(Math.max(waited * PAUSE_SHARE, FIRST_PAUSE_MS), limits.readyEveryMs);
    await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Returns an error message if a container has stopped, or `null` if it is running. */
async function whyEnded(engine: ContainerInspector, container: string, signal: AbortSignal): Promise<string | null> {
  const seen = (await engine.observe(signal)).find(({ id }) => id === container);
  if (seen !== undefined && seen.state !== 'exited' && seen.state !== 'dead') return null;
  const how = seen?.oomKilled ? ' The container used more memory than its limit.' : '';
  return `The container stopped with exit code ${seen?.exitCode ?? 'unknown'}.${how}`;
}

async function gaveUp(engine: ContainerInspector, container: string, what: string, why: string): Promise<TaskFailed> {
  // If the container's output cannot be read, omit the output from the error.
  const lines = await engine.lastLines(container, LAST_LINES).catch(() => []);
  return new TaskFailed(
    `${what} did not start. ${why} The log of this task contains the output of the container.`,
    lines.map(({ line }) => line),
  );
}
