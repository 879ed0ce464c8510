import { createReadStream } from 'node:fs';
import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceDurably } from '@davit/service/durable-files';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Limits the size of `davit.log`. Copies the file to `davit.log.1` and then empties the file. Log lines that are
 * written between these two steps are lost.
 */
export function ownLogTask({ facts, settings }: Pick<ReconcilersDeps, 'facts' | 'settings'>): Task {
  const file = join(facts.dataDir, 'davit.log');
  return {
    name: 'own log',
    everyMs: 60_000,
    async run() {
      const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (found === null || found.size <= settings().logs.daemon_bytes) return undefined;
      // First copy the whole current log to a new file. The new file then replaces the old `davit.log.1`.
      await replaceDurably(`${file}.1`, (copy) => copy.writeFile(createReadStream(file)));
      /* Do not rename the file. The process that started the daemon would continue to write to the renamed file. */
      await truncate(file, 0);
      return undefined;
    },
  };
}
