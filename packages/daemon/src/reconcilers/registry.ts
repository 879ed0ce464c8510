import type { Logger } from '@davit/service';
import { type RegistrySetup, RegistryUnavailable } from '../adapters/registry/registry.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Reconciler that keeps the instance's registry running. If its last run found a problem, `problem` returns the reason.
 */
export interface RegistryWatch {
  task: Task;
  /**
   * Returns the reason why image pushes fail. Returns `null` if pushes work, or if the registry was not checked yet.
   */
  problem(): string | null;
}

export interface RegistryWatchOptions {
  setup: () => RegistrySetup;
  log: Logger;
  /** Called when the registry process has restarted, because notifications about earlier pushes may have been lost. */
  onReturn: () => void;
}

/**
 * Keeps the instance's registry running with the current configuration. If the container cannot be replaced, the old
 * container stays.
 */
export function watchRegistry(
  { registry }: Pick<ReconcilersDeps, 'registry'>,
  { setup, log, onReturn }: RegistryWatchOptions,
): RegistryWatch {
  let problem: string | null = null;
  let startedAt: number | null = null;
  const recordProblem = (now: string | null) => {
    if (now !== null && now !== problem) log.warn({ problem: now }, 'the registry does not work correctly');
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
          recordProblem(status.problem);
          if (status.startedAt !== startedAt) onReturn();
          startedAt = status.startedAt;
        } catch (error) {
          if (!(error instanceof RegistryUnavailable)) throw error;
          startedAt = null;
          recordProblem(error.message);
        }
        return undefined;
      },
    },
  };
}
