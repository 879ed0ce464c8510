/**
 * Measures how long apps are down after the container of the proxy is stopped, killed or paused. A client sends a
 * request every 20 ms.
 */
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { testImage } from '../test/support/docker-images.ts';
import { type AppParams, startInstance } from '../test/support/instance.ts';
import { pause } from '../test/support/pause.ts';
import { conclude, formOf, quantile, rounded, say } from './support/result.ts';

const TRIES = { short: 4, usual: 20, long: 50 };
const FAULTS = ['stop', 'kill', 'pause'] as const;
const LIMIT_P90_S = 3;
const LIMIT_MAX_S = 6;
/** A paused proxy accepts connections but never answers. */
const REQUEST_TIMEOUT_MS = 200;
const WEB: AppParams = { project: 'bench', environment: 'production', app: 'web' };

const form = formOf();
await using instance = await startInstance();
const [image = '', tag = ''] = (await testImage(instance.docker, 'web')).split(':');
await instance.createApp(WEB, { image, port: 8080 });
const { status, error } = await instance.deploy(WEB, tag);
if (status !== 'succeeded') throw new Error(`deploy: ${error}`);

const gaps = new Map<string, number[]>(FAULTS.map((how) => [how, []]));
for (let n = 0; n < TRIES[form]; n += 1) {
  for (const how of FAULTS) {
    await untilServed();
    gaps.get(how)?.push((await gapAfter(how)) / 1_000);
  }
}

const all = [...gaps.values()].flat();
const p90 = quantile(all, 0.9);
const longest = Math.max(...all);
for (const [how, each] of gaps) say(`${how}: ${each.map((s) => s.toFixed(2)).join(' ')} s`);
await conclude(
  {
    name: 'proxy-recovery',
    promise: 'Downtime after the proxy was stopped, killed or paused, 90th percentile',
    limit: `≤ ${LIMIT_P90_S} s, all ≤ ${LIMIT_MAX_S} s`,
    value: rounded(p90),
    unit: 's',
    ok: p90 <= LIMIT_P90_S && longest <= LIMIT_MAX_S,
    details: {
      longest_s: rounded(longest),
      ...Object.fromEntries([...gaps].map(([how, each]) => [`${how}_p90_s`, rounded(quantile(each, 0.9))])),
      tries: `${TRIES[form]} each`,
    },
  },
  form,
);

/**
 * Causes a fault.
 * @returns milliseconds from the last successful request before the downtime to the first one after it. The engine
 * gives a container ten seconds to stop, in which the proxy may still answer.
 */
async function gapAfter(how: (typeof FAULTS)[number]): Promise<number> {
  const container = await proxy();
  let last = performance.now();
  let isDone = false;
  const done = (how === 'pause' ? pause(container) : container[how]()).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    if ((await fetchStatus()) === 200) last = performance.now();
    await delay(20);
  }
  await done;
  await untilServed();
  return performance.now() - last;
}

async function proxy() {
  const filters = { label: [`davit.instance=${instance.id}`, 'davit.kind=proxy'] };
  const [newest] = await instance.docker.listContainers({ all: true, filters });
  return instance.docker.getContainer(newest?.Id ?? '');
}

async function untilServed(): Promise<void> {
  for (const deadline = performance.now() + 60_000; ; await delay(20)) {
    if ((await fetchStatus()) === 200) return;
    if (performance.now() > deadline) throw new Error('the app was not served again within a minute');
  }
}

function fetchStatus(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const to = { host: '127.0.0.1', port: instance.httpPort, agent: false as const };
  const clientRequest = request({ ...to, headers: { host: instance.hostOf(WEB) } }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0));
  });
  clientRequest.setTimeout(REQUEST_TIMEOUT_MS, () => clientRequest.destroy());
  clientRequest.on('error', () => resolve(0));
  clientRequest.on('close', () => resolve(0));
  clientRequest.end();
  return promise;
}
