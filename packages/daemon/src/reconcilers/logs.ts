import type { Task } from './reconciler.ts';

/**
 * Deletes logs of deleted apps. Also deletes app logs that exceed the maximum age or size in the settings.
 * @param prune function that finds and deletes these logs
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
