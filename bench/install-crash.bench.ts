/**
 * Kills the daemon 60 times during installations, updates and removals of a template, and starts it again each time.
 * Counts unfinished tasks, lost records, lost data and orphaned objects.
 */
import { ENDED_WITHIN_MS, killDuringInstalls } from '../test/support/kill-installs.ts';
import { LiveHarness } from '../test/support/live-harness.ts';
import { conclude, formOf, rounded, say } from './support/result.ts';

const KILLS = { short: 5, usual: 60, long: 200 };
const SAY_EVERY = 10;

const form = formOf();
await using harness = await LiveHarness.create();
const report = await killDuringInstalls(harness, KILLS[form], (done, moment) => {
  if (done % SAY_EVERY === 0 || form === 'short') say(`${done} kills; state at the last kill: ${moment}`);
});
const { kills, lostRecords, lostData, orphans, unended, slowestEndMs } = report;
const broken = lostRecords.length + lostData.length + orphans.length + unended.length;
const list = (found: readonly unknown[]) => (found.length === 0 ? 'none' : found.join(', '));
await conclude(
  {
    name: 'install-crash',
    promise: `Unfinished tasks, orphaned objects and lost data after ${kills} kills of the daemon in template tasks`,
    limit: '0 / 0 / 0, every task completed within 60 s of the restart',
    value: broken,
    unit: 'in all',
    ok: broken === 0 && slowestEndMs <= ENDED_WITHIN_MS,
    details: {
      unfinished_tasks: list(unended),
      lost_records: list(lostRecords),
      lost_data: list(lostData),
      orphans: list(orphans),
      outcomes: report.outcomes,
      states_at_the_kills: report.moments,
      slowest_end_after_restart_ms: rounded(slowestEndMs),
      slowest_start_ms: rounded(report.slowestStartMs),
    },
  },
  form,
);
