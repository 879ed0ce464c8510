import type { Task } from './reconciler.ts';

/**
 * Deletes log lines beyond their retention, and the logs of deleted apps.
 * @param prune deletes them
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
