/**
 * Measures how much memory the daemon additionally needs while an app writes its log as fast as it can for 60 s, and
 * afterwards. The number of lines depends on the machine. The limit of the memory does not.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@davit/testkit/waiting';
import { startInstance } from '../test/support/instance.ts';
import { deployFlooder } from './support/flooding-app.ts';
import { residentMib } from './support/process-use.ts';
import { conclude, formOf, rounded, say } from './support/result.ts';
import { beginWriting } from './support/writing-app.ts';

const PARAMS = { project: 'bench', environment: 'production', app: 'flooder' };
const SECONDS = { short: 20, usual: 60, long: 600 };
const IDLE_S = { short: 10, usual: 20, long: 60 };
/**
 * Seconds from the end of the flood to the second measurement of the memory, and also its duration. It shows whether
 * the memory is released.
 */
const AFTER_S = { short: 10, usual: 30, long: 60 };
const LIMIT_MIB = 40;
const MEMORY_POLL_MS = 250;

const form = formOf();
await using instance = await startInstance();
// The first start fills the compile cache. Every later start uses it, as in production.
await instance.restart();
await deployFlooder(instance, instance.docker, PARAMS);
await until('the app has started', async () => ((await stored('waiting')) === null ? null : true));
await delay(IDLE_S[form] * 1_000);
const idle = await residentMib(instance.pid);

const began = performance.now();
await beginWriting(instance, PARAMS, SECONDS[form]);
const during = [await residentMib(instance.pid)];
for (let next = 1; performance.now() - began < SECONDS[form] * 1_000; next += 1) {
  await delay(MEMORY_POLL_MS);
  during.push(await residentMib(instance.pid));
  if (next % (5_000 / MEMORY_POLL_MS) === 0) say(`memory: ${during.at(-1)?.toFixed(1)} MiB`);
}
// The daemon still reads the lines that the engine has buffered.
const last = await until('all lines are stored', async () => {
  during.push(await residentMib(instance.pid));
  return stored('written lines=');
});
const readMs = performance.now() - began;
await delay(AFTER_S[form] * 1_000);
const after: number[] = [];
for (const from = performance.now(); performance.now() - from < AFTER_S[form] * 1_000; await delay(MEMORY_POLL_MS)) {
  after.push(await residentMib(instance.pid));
}
const [peak, later] = [Math.max(...during), Math.max(...after)];
const growth = Math.max(peak, later) - idle;

await conclude(
  {
    name: 'log-flood',
    promise: `Additional memory of the daemon while an app floods its log for ${SECONDS[form]} s, and afterwards`,
    limit: `≤ ${LIMIT_MIB} MiB`,
    value: rounded(growth),
    unit: 'MiB',
    ok: growth <= LIMIT_MIB,
    details: {
      idle_mib: rounded(idle),
      peak_mib: rounded(peak),
      [`${AFTER_S[form]}_to_${2 * AFTER_S[form]}_s_after_the_flood_mib`]: rounded(later),
      lines_written: Number(/lines=(\d+)/.exec(last)?.[1]),
      until_all_were_stored_s: rounded(readMs / 1_000),
      line_sizes: '10 bytes, 100 bytes and 20 KiB, each for one second in turn',
    },
  },
  form,
);

/** Returns the newest stored line that contains a text, or `null` if there is none. */
async function stored(q: string): Promise<string | null> {
  const found = await instance.client.getAppLogs({ params: PARAMS, query: { q, format: 'json', limit: '1' } });
  return typeof found === 'object' ? (found.lines.at(-1)?.line ?? null) : null;
}
