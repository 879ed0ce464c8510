import { createReadStream } from 'node:fs';
import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceDurably } from '@davit/service/durable-files';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Keeps the daemon's own log within its bound: one that is too large is put aside as `.1`, in place of the one before.
 * It is written by whoever started the daemon, through a descriptor that only appends and that nobody here can open
 * anew; so it is copied and emptied. Lines written in between the two are lost.
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
      // Whole or not at all: what was put aside before is there until the copy is.
      await replaceDurably(`${file}.1`, (copy) => copy.writeFile(createReadStream(file)));
      await truncate(file, 0);
      return undefined;
    },
  };
}
