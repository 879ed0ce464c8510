/**
 * Kills the daemon 60 times during deployments and retirements under traffic, and starts it again each time. Counts
 * lost records, orphaned objects and failed requests.
 */
import { startInstance } from '../test/support/instance.ts';
import { killDuringDeploys, TERMINAL_WITHIN_MS } from '../test/support/kill.ts';
import { trafficLines } from '../test/support/traffic.ts';
import { conclude, formOf, rounded, say } from './support/result.ts';

const KILLS = { short: 6, usual: 60, long: 200 };
const SAY_EVERY = 10;

const form = formOf();
await using instance = await startInstance();
const report = await killDuringDeploys(instance, KILLS[form], {
  onKill: (done, moment) => {
    if (done % SAY_EVERY === 0 || form === 'short') say(`${done} kills; state at the last kill: ${moment}`);
  },
});
const { kills, late, lostRecords, orphans, traffic, slowestEndMs } = report;
for (const line of trafficLines(traffic)) say(line);
const broken = lostRecords.length + orphans.length + traffic.lostInAll;
const unfinished = (report.outcomes.pending ?? 0) + (report.outcomes.running ?? 0);
await conclude(
  {
    name: 'crash-safety',
    promise: `Lost records, orphaned objects and failed app requests after ${kills} kills of the daemon`,
    limit: '0 / 0 / 0, every deployment completed within 60 s of the restart',
    value: broken,
    unit: 'in all',
    ok: broken === 0 && unfinished === 0 && slowestEndMs <= TERMINAL_WITHIN_MS && late * 3 >= kills,
    details: {
      lost_records: `${lostRecords.length} of ${report.acknowledged} acknowledged${lostRecords.length > 0 ? `: ${lostRecords.join(', ')}` : ''}`,
      orphans: orphans.length === 0 ? 'none' : orphans.join(', '),
      failed_requests: `${traffic.lostInAll} of ${traffic.sentInAll.toLocaleString('en')}`,
      ...(traffic.lostInAll > 0 && {
        lost: traffic.lost,
        first_failures: traffic.failures.slice(0, 10).map((one) => JSON.stringify(one)),
      }),
      outcomes: report.outcomes,
      between_the_switch_and_the_end_of_the_retirement: `${late} of ${kills} kills`,
      states_at_the_kills: report.moments,
      slowest_end_after_restart_ms: rounded(slowestEndMs),
      slowest_start_ms: rounded(report.slowestStartMs),
    },
  },
  form,
);
