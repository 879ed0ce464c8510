import { join } from 'node:path';
import type { Logger } from '@davit/service';
import { checkDatabase } from '../db/check.ts';
import { describeChange, finished } from '../db/macs/find-changed.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

/**
 * Delay in milliseconds between the start of the daemon and the first check. The start itself needs much CPU time and
 * many disk reads.
 */
const FIRST_AFTER_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const AGAIN_MS = 60 * 60_000;

/**
 * Checks the whole SQLite database every day. SQLite detects damage only in pages that it reads. Without this check,
 * all backups could contain the damage before anyone notices.
 */
export function databaseCheckTask(
  { store, facts, running }: Pick<ReconcilersDeps, 'store' | 'facts' | 'running'>,
  log: Logger,
): Task {
  const due = running() + FIRST_AFTER_MS;
  return {
    name: 'database check',
    everyMs: DAY_MS,
    async run(signal) {
      const wait = due - running();
      if (wait > 0) return wait;
      const started = performance.now();
      try {
        const found = await checkDatabase(join(facts.dataDir, 'davit.db'), signal);
        if (found.length === 0) found.push(...(await finished(store.changedRows(), signal)).map(describeChange));
        const ms = Math.round(performance.now() - started);
        if (found.length === 0) log.info({ ms }, 'the database of the instance passed its integrity check');
        else log.error({ ms, found }, 'the database of the instance is damaged');
        if (found.length > 0) store.noteDamage();
        return undefined;
      } catch (error) {
        if (signal.aborted) throw error;
        log.warn({ error }, 'the integrity check of the instance’s database could not run');
        return AGAIN_MS;
      }
    },
  };
}
