/**
 * What counting requests costs: the daemon's processor time while 2,000 requests a second go through the proxy to an app,
 * less what it takes without any. Beside it whether every request was counted, what happens beyond that rate, and how far
 * the quantiles are from those of the durations themselves.
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
// It writes no line of its own for a request, which the daemon would have to read too.
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

// What the proxy answers by itself comes at a rate that no app on the same two cores reaches.
await instance.client.addDomain({ params: WEB, body: { host: CLOSED, maintenance: {} } });
const beforeFlood = await samples();
const flood = { requests: 0, cpu: 0 };
flood.cpu = await cpuWhile(instance, async () => {
  flood.requests = await sendFlat(WRK_SECONDS[form]);
});
// A last one at a quiet moment brings along all that were left out before.
await delay(2_000);
await sendSteadily(1, 1);
const flooded = await countedAtLeast(beforeFlood, flood.requests + 1);
// What was under way when the load generator left is counted by the proxy and not by it.
const surplus = flooded.requests - flood.requests - 1;
const factor = Math.max(...flooded.samples.map(({ sample_factor }) => sample_factor ?? 1));

const cost = rounded(busy - idle);
await conclude(
  {
    name: 'traffic',
    promise: `Processor time of the daemon to count ${RATE} requests per second`,
    limit: `≤ ${LIMIT_PERCENT} % of a core, every request counted`,
    value: cost,
    unit: '% of a core',
    ok: cost <= LIMIT_PERCENT && missing === 0 && counted.missed === 0 && surplus >= 0 && surplus <= WRK_CLIENTS,
    details: {
      sent: sent,
      counted: counted.requests,
      whole_daemon_with_requests: `${busy} %`,
      whole_daemon_without: `${idle} %`,
      without_a_pause: `${flood.requests} requests in ${WRK_SECONDS[form]} s, ${flooded.requests - 1} counted (${surplus} under way at its end), each looked at stands for up to ${factor}; daemon ${flood.cpu} %`,
      error_of_quantiles: errorsOfQuantiles(),
      daemon_mib: rounded(await residentMib(instance.pid)),
    },
  },
  form,
);

/** The daemon's share of a core while something goes on. */
async function cpuWhile({ pid }: Instance, work: () => Promise<unknown>): Promise<number> {
  const [from, used] = [performance.now(), await cpuMs([pid])];
  await work();
  return rounded((((await cpuMs([pid])) - used) / (performance.now() - from)) * 100);
}

/** An open loop: what is due is sent, whatever is under way. @returns how many were sent, all of them answered */
async function sendSteadily(rate: number, forSeconds: number): Promise<number> {
  const from = performance.now();
  const total = rate * forSeconds;
  const under: Promise<void>[] = [];
  while (under.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - from) / 1_000) * rate));
    while (under.length < due) under.push(sendOne());
    await delay(2);
  }
  await Promise.all(under);
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

/** As fast as they are answered. @returns how many were */
async function sendFlat(forSeconds: number): Promise<number> {
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

/** What was counted since some samples were read, once it is as much as it should be or a minute has gone by. */
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

/** Of durations as they are found in the world: most short, a few long. */
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
    const right = quantile(exact, share);
    return `${rounded((((durations.quantile(share) ?? 0) - right) / right) * 100)} %`;
  };
  return { p50: error(0.5), p95: error(0.95), p99: error(0.99) };
}

function disposable(value: Agent): { value: Agent } & Disposable {
  return { value, [Symbol.dispose]: () => value.destroy() };
}
