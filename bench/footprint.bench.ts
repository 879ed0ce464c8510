/**
 * What the daemon itself takes: its memory with 30 real containers running, and the time from its start to the first 200
 * of `GET /api/apps` with a key, with a warm compile cache; the cold one beside it.
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
const WATCHED_S = { short: 5, usual: 60, long: 300 };
const LIMIT_MIB = 120;
const LIMIT_START_MS = 500;
const POLL_MS = 2;

const form = formOf();
await using instance = await startInstance();
// From here on what was compiled at the first start is found in the cache, as at every start but the first.
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

/** Right after thirty deploys, then while it is read from now and then, as a dashboard does. */
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
      after_the_deploys_mib: rounded(afterDeploys),
      after_the_first_start_without_a_cache_mib: rounded(firstStartMib),
      after_a_later_start_mib: rounded(afterStart),
      watched: `${WATCHED_S[form]} s with a read of everything each second`,
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
  let most = afterDeploys;
  for (let second = 0; second < WATCHED_S[form]; second += 1) {
    await instance.client.listApps();
    await delay(1_000);
    most = Math.max(most, await residentMib(instance.pid));
  }
  say(`memory: ${afterDeploys.toFixed(1)} MiB after the deploys, ${most.toFixed(1)} MiB at its highest`);
  return most;
}

async function timeToFirstAnswer(started: Instance): Promise<number> {
  const from = performance.now();
  started.spawn();
  while ((await statusOfApps(started)) !== 200) await delay(POLL_MS);
  const ms = performance.now() - from;
  say(`start: ${ms.toFixed(0)} ms`);
  return ms;
}

/** 0 while nothing listens. */
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
