/**
 * Runs an operation that needs Docker. If Docker becomes unavailable, waits until Docker responds, and then runs the
 * operation again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../adapters/engine/engine.ts';
import { EngineUnavailable } from '../adapters/engine/errors.ts';

const PROBE_INTERVAL_MS = 200;

export interface EngineWait {
  engine: Pick<Engine, 'info'>;
  /**
   * Maximum time in milliseconds to wait for Docker if it is unavailable. The time starts with the first attempt. After
   * this time, the operation fails.
   */
  awayMs: number;
  /** Called each time Docker becomes unavailable. */
  onAway: (cause: EngineUnavailable) => void;
}

/**
 * Runs `attempt`. If Docker becomes unavailable during the attempt, waits until Docker responds and runs `attempt`
 * again.
 * @throws EngineUnavailable if Docker is still unavailable `awayMs` milliseconds after the start of the first attempt
 * @throws any other error of `attempt`
 * @throws the abort reason of `signal` if `signal` is aborted
 */
export async function withEngine(
  { engine, awayMs, onAway }: EngineWait,
  signal: AbortSignal,
  attempt: () => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + awayMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof EngineUnavailable) || performance.now() > deadline) throw error;
      onAway(error);
      await back(engine, signal, deadline, error);
    }
  }
}

async function back(
  engine: Pick<Engine, 'info'>,
  signal: AbortSignal,
  deadline: number,
  cause: EngineUnavailable,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (performance.now() > deadline) throw cause;
    await sleep(PROBE_INTERVAL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    const answered = await engine.info(signal).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
}
