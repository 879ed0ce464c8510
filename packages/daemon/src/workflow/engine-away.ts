/** An engine that goes away in the middle of work: it is waited for, and what was under way is taken up again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../adapters/engine/engine.ts';
import { EngineUnavailable } from '../adapters/engine/errors.ts';

const ASKED_EVERY_MS = 200;

export interface EngineWait {
  engine: Pick<Engine, 'info'>;
  /** How long it may be away in all, from now on. */
  awayMs: number;
  /** Each time that it went away. */
  onAway: (cause: EngineUnavailable) => void;
}

/**
 * Attempts something until the engine was there for all of it.
 * @throws EngineUnavailable when it was away for longer; what the attempt throws besides; the signal's reason
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
    await sleep(ASKED_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    const answered = await engine.info(signal).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
}
