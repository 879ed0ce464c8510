import { setTimeout as wait } from 'node:timers/promises';
import type { Indexer, PassOutcome } from './indexer.ts';

export interface LoopOptions {
  indexer: Indexer;
  /** Seconds from the start of an indexing run to the start of the next run. */
  intervalS: number;
  signal: AbortSignal;
  onPass(outcome: PassOutcome): void;
}

export async function runPasses({ indexer, intervalS, signal, onPass }: LoopOptions): Promise<void> {
  while (!signal.aborted) {
    const next = performance.now() + intervalS * 1000;
    const outcome = await indexer.passOnce(signal);
    if (signal.aborted) return;
    onPass(outcome);
    try {
      await wait(Math.max(0, next - performance.now()), undefined, { signal });
    } catch {
      // The signal was aborted while the indexer waited for its next run.
      return;
    }
  }
}
