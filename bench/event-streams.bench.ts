/**
 * Two hundred people who watch: what their open streams take of the daemon's memory, and how long an event is under way
 * from its commit to each of them. Real connections to an instance of its own, on a simulated engine.
 */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Instance, startInstance } from '../test/support/instance.ts';
import { residentMib } from './support/process-use.ts';
import { conclude, formOf, quantile, rounded, say } from './support/result.ts';

const STREAMS = 200;
const LIMIT_MIB = 40;
const LIMIT_P95_MS = 50;
const EVENTS = { short: 20, usual: 200, long: 1_000 };
/** An event from time to time, as people and deploys make them. */
const PAUSE_MS = 20;
const SETTLE_MS = { short: 3_000, usual: 20_000, long: 60_000 };

const form = formOf();
await using instance = await startInstance({ engine: 'memory' });
// From here on what was compiled at the first start is found in the cache, as at every start but the first.
await instance.restart();
await instance.client.createProject({ body: { slug: 'bench' } });
// What the first requests of each kind take for good is not the streams'.
for (let i = 0; i < 500; i += 1) await instance.client.listProjects();
(await openStream(instance)).close();
await delay(SETTLE_MS[form]);
const idle = await residentMib(instance.pid);

const received: { seq: number; at: number }[] = [];
const streams: Stream[] = [];
for (let n = 0; n < STREAMS; n += 1) {
  streams.push(
    await openStream(instance, (seq) => received.push({ seq, at: performance.timeOrigin + performance.now() })),
  );
}
let most = 0;
for (let waited = 0; waited < SETTLE_MS[form]; waited += 500) {
  await delay(500);
  most = Math.max(most, await residentMib(instance.pid));
}
say(`memory: ${idle.toFixed(1)} MiB idle, ${most.toFixed(1)} MiB with ${STREAMS} streams`);

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
for (let n = 0; n < EVENTS[form]; n += 1) {
  await createEnvironment(instance, `e${n}`);
  await delay(PAUSE_MS);
}
await delay(1_000);
most = Math.max(most, await residentMib(instance.pid));
agent.destroy();
for (const stream of streams) stream.close();

const committed = await commitTimes(instance);
const underWay = received.map(({ seq, at }) => at - (committed.get(seq) ?? Number.NaN));
const lost = EVENTS[form] * STREAMS - received.length;
const above = most - idle;
await conclude(
  {
    name: 'event-streams-memory',
    promise: `Additional memory of the daemon with ${STREAMS} open event streams`,
    limit: `≤ ${LIMIT_MIB} MiB`,
    value: rounded(above),
    unit: 'MiB',
    ok: above <= LIMIT_MIB,
    details: {
      idle_mib: rounded(idle),
      at_its_highest_mib: rounded(most),
      a_stream_kib: rounded((above * 1024) / STREAMS),
    },
  },
  form,
);
const p95 = quantile(underWay, 0.95);
await conclude(
  {
    name: 'event-streams-delay',
    promise: `Time from the commit of an event until each of ${STREAMS} streams receives the event, p95`,
    limit: `≤ ${LIMIT_P95_MS} ms`,
    value: rounded(p95),
    unit: 'ms',
    ok: p95 <= LIMIT_P95_MS && lost === 0,
    details: {
      events: EVENTS[form],
      received: received.length,
      lost,
      median_ms: rounded(quantile(underWay, 0.5)),
      p99_ms: rounded(quantile(underWay, 0.99)),
      highest_ms: rounded(quantile(underWay, 1)),
      clock: 'both ends on one machine, to the millisecond in which the event was committed',
    },
  },
  form,
);

interface Stream {
  close(): void;
}

/** Resolves when the stream is open. */
function openStream({ url, key }: Instance, onEvent: (seq: number) => void = () => undefined): Promise<Stream> {
  const { promise, resolve, reject } = Promise.withResolvers<Stream>();
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
  const clientRequest = request(`${url}/api/events`, { headers, agent: false }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`a stream was answered ${response.statusCode}`));
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      for (const [, seq] of text.matchAll(/^id: (\d+)\nevent: /gm)) onEvent(Number(seq));
    });
    response.on('error', () => undefined);
    resolve({ close: () => clientRequest.destroy() });
  });
  clientRequest.on('error', reject);
  clientRequest.end();
  return promise;
}

/** One event each. */
function createEnvironment({ url, key }: Instance, slug: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const clientRequest = request(
    `${url}/api/projects/bench/environments`,
    { method: 'POST', headers, agent },
    (response) => {
      response.resume();
      response.on('end', () => (response.statusCode === 201 ? resolve() : reject(new Error(`${response.statusCode}`))));
    },
  );
  clientRequest.on('error', reject);
  clientRequest.end(JSON.stringify({ slug }));
  return promise;
}

/** When each event was committed, as the instance itself says; milliseconds since the epoch. */
async function commitTimes({ url, key }: Instance): Promise<Map<number, number>> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/api/events?after=0`, { headers });
  const times = new Map<number, number>();
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      const { seq, at } = JSON.parse(data ?? '{}') as { seq?: number; at?: string };
      if (seq !== undefined && at !== undefined) times.set(seq, Date.parse(at));
    }
    if (received.every(({ seq }) => times.has(seq))) break;
  }
  return times;
}
