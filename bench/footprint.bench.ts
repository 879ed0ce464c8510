/**
 * Measures the memory of the daemon with 30 running containers, and the time from its start until `GET /api/apps` with
 * a key answers with 200. The limit of the start applies to a filled compile cache. The details contain a start without
 * the cache.
 */
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { testImage } from '../test/support/docker-images.ts';
import { type Instance, startInstance } from '../test/support/instance.ts';
import { residentMib } from './support/process-use.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';

const APPS = { short: 2, usual: 10, long: 10 };
const SCALE = 3;
const STARTS = { short: 2, usual: 7, long: 15 };
/** Time in which the memory is measured. */
const WATCHED_S = { short: 5, usual: 60, long: 300 };
const LIMIT_MIB = 120;
const LIMIT_START_MS = 500;
const POLL_MS = 2;

const form = formOf();
await using instance = await startInstance();
// The first start fills the compile cache. Every later start uses it, as in production.
const firstStartMib = await residentMib(instance.pid);
await instance.restart();
const [image = '', tag = ''] = (await testImage(instance.docker, 'web')).split(':');
const containers = APPS[form] * SCALE;
for (let n = 1; n <= APPS[form]; n += 1) {
  const params = { project: 'bench', environment: 'production', app: `web${n}` };
  await instance.createApp(params, { image, port: 8080, scale: SCALE });
  const { status, error } = await instance.deploy(params, tag);
  if (status !== 'succeeded') throw new Error(`deploy ${params.app}: ${error}`);
}

// Memory right after the deployments. Then a client reads the apps once per second, as a dashboard does.
const afterDeploys = await residentMib(instance.pid);
const highest = await watchMemory();

const warm: number[] = [];
for (let n = 0; n < STARTS[form]; n += 1) {
  await instance.stop();
  warm.push(await timeToFirstAnswer(instance));
}
await delay(2_000);
const afterStart = await residentMib(instance.pid);
await instance.stop();
await rm(join(instance.dataDir, 'cache'), { recursive: true, force: true });
const coldMs = await timeToFirstAnswer(instance);

await conclude(
  {
    name: 'footprint-memory',
    promise: `Maximum memory of the daemon with ${containers} containers`,
    limit: `≤ ${LIMIT_MIB} MiB`,
    value: rounded(highest),
    unit: 'MiB',
    ok: highest <= LIMIT_MIB,
    details: {
      after_the_deployments_mib: rounded(afterDeploys),
      after_the_first_start_without_a_cache_mib: rounded(firstStartMib),
      after_a_later_start_mib: rounded(afterStart),
      watched: `${WATCHED_S[form]} s with one read of all apps per second`,
    },
  },
  form,
);
const startMs = median(warm);
await conclude(
  {
    name: 'footprint-start',
    promise: `Start of the daemon with ${containers} containers until it answers GET /api/apps`,
    limit: `≤ ${LIMIT_START_MS} ms`,
    value: Math.round(startMs),
    unit: 'ms',
    ok: startMs <= LIMIT_START_MS,
    details: { warm_ms: warm.map(Math.round), cold_ms: Math.round(coldMs), polled_every_ms: POLL_MS },
  },
  form,
);

async function watchMemory(): Promise<number> {
  let peak = afterDeploys;
  for (let second = 0; second < WATCHED_S[form]; second += 1) {
    await instance.client.listApps();
    await delay(1_000);
    peak = Math.max(peak, await residentMib(instance.pid));
  }
  say(`memory: ${afterDeploys.toFixed(1)} MiB after the deployments, at most ${peak.toFixed(1)} MiB`);
  return peak;
}

/** Starts the daemon. Returns the milliseconds until it answers GET /api/apps. */
async function timeToFirstAnswer(started: Instance): Promise<number> {
  const from = performance.now();
  started.spawn();
  while ((await statusOfApps(started)) !== 200) await delay(POLL_MS);
  const ms = performance.now() - from;
  say(`start: ${ms.toFixed(0)} ms`);
  return ms;
}

/** Returns the status code of GET /api/apps, or 0 if the daemon does not listen yet. */
function statusOfApps({ url, key }: Instance): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${key}` };
  const clientRequest = request(`${url}/api/apps`, { headers, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  clientRequest.on('error', () => resolve(0));
  clientRequest.end();
  return promise;
}
