import type { Task } from './reconciler.ts';

/**
 * Lets go of kept lines beyond their time, and of what a deleted app wrote.
 * @param prune the logs' own
 */
export function logsTask(prune: () => Promise<void>): Task {
  return {
    name: 'logs',
    everyMs: 60 * 60_000,
    async run() {
      await prune();
      return undefined;
    },
  };
}
