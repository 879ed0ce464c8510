import type { Logger } from '@davit/service';
import { type RegistrySetup, RegistryUnavailable } from '../adapters/registry/registry.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/** The reconciler that keeps the registry running, and its last result. */
export interface RegistryWatch {
  task: Task;
  /** Returns why pushes fail, as a sentence. `null` if pushes work, or if the registry has not been checked yet. */
  problem(): string | null;
}

export interface RegistryWatchOptions {
  setup: () => RegistrySetup;
  log: Logger;
  /** Called when the registry responds again after an outage, because notifications of earlier pushes may be lost. */
  onReturn: () => void;
}

/**
 * Keeps the registry of the instance in the state of its setup. Starts the registry, takes over a running registry, or
 * replaces the registry after a change of the setup. If the running registry cannot be corrected, it keeps running and
 * a problem is reported.
 */
export function watchRegistry(
  { registry }: Pick<ReconcilersDeps, 'registry'>,
  { setup, log, onReturn }: RegistryWatchOptions,
): RegistryWatch {
  let problem: string | null = null;
  let startedAt: number | null = null;
  const tell = (now: string | null) => {
    if (now !== null && now !== problem) log.warn({ problem: now }, 'the registry has a problem');
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
