import { createReadStream } from 'node:fs';
import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceDurably } from '@davit/service/durable-files';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Limits the size of the daemon's own log: a file that is too large becomes `davit.log.1`, which replaces the previous
 * one. The program that started the daemon opened the file for appending, and the daemon cannot open it again for that
 * program. So the daemon copies the file and then empties it. Lines that are written between the two steps are lost.
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
      // The replacement is atomic: the previous copy exists until the new copy is complete.
      await replaceDurably(`${file}.1`, (copy) => copy.writeFile(createReadStream(file)));
      await truncate(file, 0);
      return undefined;
    },
  };
}
