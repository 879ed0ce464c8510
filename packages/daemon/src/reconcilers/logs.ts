import type { Task } from './reconciler.ts';

/**
 * Deletes app logs that are older or larger than their retention allows, and logs of deleted apps.
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
