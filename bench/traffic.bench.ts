/**
 * Measures the processor time that the daemon needs to count requests. The result is its processor time during 2,000
 * requests per second through the proxy to an app, minus that without requests. Also checks that every request is
 * counted, even at higher rates, and how exact the estimated quantiles are.
 */
import { execFile } from 'node:child_process';
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { TrafficSample } from '@davit/api';
import { Durations, kindOf } from '../packages/daemon/src/resources/metrics/durations.ts';
import { testImage } from '../test/support/docker-images.ts';
import { type AppParams, type Instance, startInstance } from '../test/support/instance.ts';
import { cpuMs, residentMib } from './support/process-use.ts';
import { conclude, formOf, quantile, rounded, say } from './support/result.ts';

const RATE = 2_000;
const SECONDS = { short: 5, usual: 30, long: 120 };
const WRK_SECONDS = { short: 3, usual: 10, long: 30 };
const WRK_CLIENTS = 16;
const LIMIT_PERCENT = 5;
const CLOSED = 'closed.example';
const WEB: AppParams = { project: 'bench', environment: 'production', app: 'web' };

const form = formOf();
const seconds = SECONDS[form];
await using instance = await startInstance();
// This image does not log requests, because the daemon would have to read these lines too.
const [image = '', tag = ''] = (await testImage(instance.docker, 'web')).split(':');
await instance.createApp(WEB, { image, port: 8080 });
const { status, error } = await instance.deploy(WEB, tag);
if (status !== 'succeeded') throw new Error(`deploy: ${error}`);
using agent = disposable(new Agent({ keepAlive: true, maxSockets: 64 }));

await delay(10_000);
const idle = await cpuWhile(instance, () => delay(seconds * 1_000));
const before = await samples();
let sent = 0;
const busy = await cpuWhile(instance, async () => {
  sent = await sendSteadily(RATE, seconds);
});
const counted = await countedAtLeast(before, sent);
const missing = sent - counted.requests;
say(`${sent} requests at ${RATE}/s: ${counted.requests} counted, ${counted.missed} missed`);

// In maintenance mode, the proxy itself answers. It reaches a rate that no app on the same two cores reaches.
await instance.client.addDomain({ params: WEB, body: { host: CLOSED, maintenance: {} } });
const beforeFlood = await samples();
const flood = { requests: 0, cpu: 0 };
flood.cpu = await cpuWhile(instance, async () => {
  flood.requests = await sendAtFullSpeed(WRK_SECONDS[form]);
});
// At a high rate, the proxy reports only some requests. The report of this later request includes the others.
await delay(2_000);
await sendSteadily(1, 1);
const flooded = await countedAtLeast(beforeFlood, flood.requests + 1);
// Only the proxy counts the requests that were in progress when the load generator stopped.
const unfinished = flooded.requests - flood.requests - 1;
const factor = Math.max(...flooded.samples.map(({ sample_factor }) => sample_factor ?? 1));

const cost = rounded(busy - idle);
await conclude(
  {
    name: 'traffic',
    promise: `Processor time of the daemon to count ${RATE} requests per second`,
    limit: `≤ ${LIMIT_PERCENT} % of a core, every request counted`,
    value: cost,
    unit: '% of a core',
    ok: cost <= LIMIT_PERCENT && missing === 0 && counted.missed === 0 && unfinished >= 0 && unfinished <= WRK_CLIENTS,
    details: {
      sent: sent,
      counted: counted.requests,
      whole_daemon_with_requests: `${busy} %`,
      whole_daemon_without_requests: `${idle} %`,
      at_full_speed: `${flood.requests} requests in ${WRK_SECONDS[form]} s, ${flooded.requests - 1} counted (${unfinished} in progress at its end), sampling factor up to ${factor}; daemon ${flood.cpu} %`,
      error_of_quantiles: errorsOfQuantiles(),
      daemon_mib: rounded(await residentMib(instance.pid)),
    },
  },
  form,
);

/** Returns the processor time of the daemon during `work`, in percent of a core. */
async function cpuWhile({ pid }: Instance, work: () => Promise<unknown>): Promise<number> {
  const [from, used] = [performance.now(), await cpuMs([pid])];
  await work();
  return rounded((((await cpuMs([pid])) - used) / (performance.now() - from)) * 100);
}

/**
 * Sends requests at a constant rate, even if earlier requests are still in progress.
 * @returns the number of requests, when all have been answered
 */
async function sendSteadily(rate: number, forSeconds: number): Promise<number> {
  const from = performance.now();
  const total = rate * forSeconds;
  const pending: Promise<void>[] = [];
  while (pending.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - from) / 1_000) * rate));
    while (pending.length < due) pending.push(sendOne());
    await delay(2);
  }
  await Promise.all(pending);
  return total;
}

function sendOne(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const to = {
    host: '127.0.0.1',
    port: instance.httpPort,
    agent: agent.value,
    headers: { host: instance.hostOf(WEB) },
  };
  get(to, (response) => {
    response.resume();
    response.on('end', resolve);
  }).on('error', reject);
  return promise;
}

/**
 * Sends requests as fast as the proxy answers them.
 * @returns the number of answered requests
 */
async function sendAtFullSpeed(forSeconds: number): Promise<number> {
  const host = `Host: ${CLOSED}`;
  const url = `http://127.0.0.1:${instance.httpPort}/`;
  const args = ['-t1', `-c${WRK_CLIENTS}`, `-d${forSeconds}s`, '-H', host, url];
  const { stdout } = await promisify(execFile)('wrk', args);
  return Number(/(\d+) requests in/.exec(stdout)?.[1]);
}

async function samples(): Promise<TrafficSample[]> {
  const { traffic } = await instance.client.getAppMetrics({ params: WEB, query: {} });
  return traffic.samples.filter(({ requests }) => (requests ?? 0) > 0);
}

/**
 * Waits until `count` requests have been counted since the known samples, but at most one minute.
 * @returns the counts since then
 */
async function countedAtLeast(known: TrafficSample[], count: number) {
  const sum = (all: TrafficSample[], field: 'requests' | 'missed') =>
    all.reduce((total, sample) => total + (sample[field] ?? 0), 0);
  for (const deadline = performance.now() + 60_000; ; await delay(500)) {
    const all = await samples();
    const requests = sum(all, 'requests') - sum(known, 'requests');
    const counts = { requests, missed: sum(all, 'missed') - sum(known, 'missed') };
    const since = known.at(-1)?.at ?? '';
    if (requests >= count || performance.now() > deadline)
      return { ...counts, samples: all.filter(({ at }) => at > since) };
  }
}

/**
 * Compares estimated quantiles with exact ones for 100,000 durations with a log-normal distribution: most are short, a
 * few are long.
 */
function errorsOfQuantiles(): Record<string, string> {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const exact = Array.from({ length: 100_000 }, () => Math.round(Math.exp(4 + normal())));
  const durations = new Durations();
  for (const ms of exact) durations.add(kindOf(ms));
  const error = (share: number) => {
    const expected = quantile(exact, share);
    return `${rounded((((durations.quantile(share) ?? 0) - expected) / expected) * 100)} %`;
  };
  return { p50: error(0.5), p95: error(0.95), p99: error(0.99) };
}

function disposable(value: Agent): { value: Agent } & Disposable {
  return { value, [Symbol.dispose]: () => value.destroy() };
}
