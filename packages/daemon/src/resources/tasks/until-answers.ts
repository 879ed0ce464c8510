/** Waits until what a task has started in a container of its own answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../../adapters/engine/engine.ts';
import { TaskFailed, type TaskLimits } from './kind.ts';

const LAST_LINES = 50;

/** The pause as a part of the time waited so far: what is quick is noticed quickly, what is slow is not pestered. */
const PAUSE_SHARE = 0.02;
const FIRST_PAUSE_MS = 10;

export interface Starting {
  /** As a sentence begins with it: «The database». */
  what: string;
  /** As it is on record; null: it has none any more. */
  container: () => string | null;
  /** Null: it answers; else a sentence that says why not, or nothing. */
  problem: (container: string) => Promise<string | null>;
}

type Asked = Pick<Engine, 'observe' | 'lastLines'>;

/** @throws TaskFailed when it ended or did not answer in time, with what it wrote last; EngineUnavailable; the signal's reason */
export async function untilAnswers(
  engine: Asked,
  starting: Starting,
  limits: TaskLimits,
  signal: AbortSignal,
): Promise<void> {
  const { what } = starting;
  const began = performance.now();
  let lookedAt = began;
  for (;;) {
    const container = starting.container();
    if (container === null) throw new TaskFailed(`${what} has no container any more.`);
    const problem = await starting.problem(container);
    if (problem === null) return;
    const waited = performance.now() - began;
    const isLate = waited > limits.readyMs;
    // A look at everything that the engine runs costs more than a question to the one.
    if (isLate || performance.now() - lookedAt >= limits.readyEveryMs) {
      const ended = await whyEnded(engine, container, signal);
      if (ended !== null) throw await gaveUp(engine, container, what, ended);
      lookedAt = performance.now();
    }
    if (isLate) {
      const late = `It did not answer within ${limits.readyMs / 1_000} s. ${problem}`.trim();
      throw await gaveUp(engine, container, what, late);
    }
    const pause = Math.min(Math.max(waited * PAUSE_SHARE, FIRST_PAUSE_MS), limits.readyEveryMs);
    await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Null: it runs. */
async function whyEnded(engine: Asked, container: string, signal: AbortSignal): Promise<string | null> {
  const seen = (await engine.observe(signal)).find(({ id }) => id === container);
  if (seen !== undefined && seen.state !== 'exited' && seen.state !== 'dead') return null;
  const how = seen?.oomKilled ? ' It was ended because it took more memory than its limit.' : '';
  return `Its container ended with exit code ${seen?.exitCode ?? 'unknown'}.${how}`;
}

async function gaveUp(engine: Asked, container: string, what: string, why: string): Promise<TaskFailed> {
  // What it wrote is a service: why it did not start is told all the same.
  const lines = await engine.lastLines(container, LAST_LINES).catch(() => []);
  return new TaskFailed(
    `${what} did not start: ${why} The log of this task has what it wrote.`,
    lines.map(({ line }) => line),
  );
}
