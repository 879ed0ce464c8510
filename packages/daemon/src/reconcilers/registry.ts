import type { Logger } from '@davit/service';
import { type RegistrySetup, RegistryUnavailable } from '../adapters/registry/registry.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/** The pass that keeps the registry running, and what it last found. */
export interface RegistryWatch {
  task: Task;
  /** Why nothing can be pushed, in a sentence; null when it can, or it has not been looked at yet. */
  problem(): string | null;
}

export interface RegistryWatchOptions {
  setup: () => RegistrySetup;
  log: Logger;
  /** Called when it answers after a time in which it did not: what was pushed before may never have been told. */
  onReturn: () => void;
}

/**
 * Keeps the instance's own registry as its setup says: started, adopted, or replaced when something of it changed. Where
 * one runs that is not what it should be, it goes on and is reported.
 */
export function watchRegistry(
  { registry }: Pick<ReconcilersDeps, 'registry'>,
  { setup, log, onReturn }: RegistryWatchOptions,
): RegistryWatch {
  let problem: string | null = null;
  let startedAt: number | null = null;
  const tell = (now: string | null) => {
    if (now !== null && now !== problem) log.warn({ problem: now }, 'the registry is not as it should be');
    problem = now;
  };
  return {
    problem: () => problem,
    task: {
      name: 'registry',
      everyMs: 10_000,
      async run() {
        try {
          const status = await registry.ensure(setup());
          tell(status.problem);
          if (status.startedAt !== startedAt) onReturn();
          startedAt = status.startedAt;
        } catch (error) {
          if (!(error instanceof RegistryUnavailable)) throw error;
          startedAt = null;
          tell(error.message);
        }
        return undefined;
      },
    },
  };
}
