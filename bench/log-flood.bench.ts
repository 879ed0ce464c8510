/**
 * Measures by how much the memory of the daemon grows while an app writes its log as fast as it can, and how much of
 * that remains afterwards. The speed depends on the machine; the limit of the memory does not.
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
/** From this moment after the end on, for as long again, nothing may be left of the flood. */
const AFTER_S = { short: 10, usual: 30, long: 60 };
const LIMIT_MIB = 40;
/** What the engine still has is read on after the app is silent. */
const LOOK_MS = 250;

const form = formOf();
await using instance = await startInstance();
// From here on what was compiled at the first start is found in the cache, as at every start but the first.
await instance.restart();
await deployFlooder(instance, instance.docker, PARAMS);
await until('it waits', async () => ((await stored('waiting')) === null ? null : true));
await delay(IDLE_S[form] * 1_000);
const idle = await residentMib(instance.pid);

const began = performance.now();
await beginWriting(instance, PARAMS, SECONDS[form]);
const during = [await residentMib(instance.pid)];
for (let next = 1; performance.now() - began < SECONDS[form] * 1_000; next += 1) {
  await delay(LOOK_MS);
  during.push(await residentMib(instance.pid));
  if (next % (5_000 / LOOK_MS) === 0) say(`memory: ${during.at(-1)?.toFixed(1)} MiB`);
}
const last = await until('everything is stored', async () => {
  during.push(await residentMib(instance.pid));
  return stored('written lines=');
});
const readMs = performance.now() - began;
await delay(AFTER_S[form] * 1_000);
const after: number[] = [];
for (const from = performance.now(); performance.now() - from < AFTER_S[form] * 1_000; await delay(LOOK_MS)) {
  after.push(await residentMib(instance.pid));
}
const [highest, left] = [Math.max(...during), Math.max(...after)];
const above = Math.max(highest, left) - idle;

await conclude(
  {
    name: 'log-flood',
    promise: `Additional memory of the daemon while an app floods its log for ${SECONDS[form]} s, and afterwards`,
    limit: `≤ ${LIMIT_MIB} MiB`,
    value: rounded(above),
    unit: 'MiB',
    ok: above <= LIMIT_MIB,
    details: {
      idle_mib: rounded(idle),
      at_its_highest_mib: rounded(highest),
      [`${AFTER_S[form]}_to_${2 * AFTER_S[form]}_s_after_the_flood_mib`]: rounded(left),
      lines_written: Number(/lines=(\d+)/.exec(last)?.[1]),
      until_all_were_stored_s: rounded(readMs / 1_000),
      lines_of: '10 bytes, 100 bytes and 20 KiB, a second of each in turn',
    },
  },
  form,
);

/** The newest line that has a word; null while none has. */
async function stored(q: string): Promise<string | null> {
  const found = await instance.client.getAppLogs({ params: PARAMS, query: { q, format: 'json', limit: '1' } });
  return typeof found === 'object' ? (found.lines.at(-1)?.line ?? null) : null;
}
