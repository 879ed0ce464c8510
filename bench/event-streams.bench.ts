/**
 * Opens 200 event streams over real connections to an instance on a simulated engine. Measures the additional memory of
 * the daemon, and the time from the commit of an event until each stream has received it.
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
/** Pause between two events, because events of users and deployments do not come in bursts. */
const PAUSE_MS = 20;
/** Time before the memory is measured, without streams and then with streams. */
const SETTLE_MS = { short: 3_000, usual: 20_000, long: 60_000 };

const form = formOf();
await using instance = await startInstance({ engine: 'memory' });
// The first start fills the compile cache. Every later start uses it, as in production.
await instance.restart();
await instance.client.createProject({ body: { slug: 'bench' } });
// The first requests of each kind permanently need memory, which would otherwise count as memory of the streams.
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
let peak = 0;
for (let waited = 0; waited < SETTLE_MS[form]; waited += 500) {
  await delay(500);
  peak = Math.max(peak, await residentMib(instance.pid));
}
say(`memory: ${idle.toFixed(1)} MiB idle, ${peak.toFixed(1)} MiB with ${STREAMS} streams`);

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
for (let n = 0; n < EVENTS[form]; n += 1) {
  await createEnvironment(instance, `e${n}`);
  await delay(PAUSE_MS);
}
await delay(1_000);
peak = Math.max(peak, await residentMib(instance.pid));
agent.destroy();
for (const stream of streams) stream.close();

const committed = await commitTimes(instance);
const delays = received.map(({ seq, at }) => at - (committed.get(seq) ?? Number.NaN));
const lost = EVENTS[form] * STREAMS - received.length;
const growth = peak - idle;
await conclude(
  {
    name: 'event-streams-memory',
    promise: `Additional memory of the daemon with ${STREAMS} open event streams`,
    limit: `≤ ${LIMIT_MIB} MiB`,
    value: rounded(growth),
    unit: 'MiB',
    ok: growth <= LIMIT_MIB,
    details: {
      idle_mib: rounded(idle),
      peak_mib: rounded(peak),
      per_stream_kib: rounded((growth * 1024) / STREAMS),
    },
  },
  form,
);
const p95 = quantile(delays, 0.95);
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
      median_ms: rounded(quantile(delays, 0.5)),
      p99_ms: rounded(quantile(delays, 0.99)),
      longest_ms: rounded(quantile(delays, 1)),
      clock: 'same machine for both times; commit times have a resolution of 1 ms',
    },
  },
  form,
);

interface Stream {
  close(): void;
}

/**
 * Opens an event stream.
 * @param onEvent called with the sequence number of each event
 */
function openStream({ url, key }: Instance, onEvent: (seq: number) => void = () => undefined): Promise<Stream> {
  const { promise, resolve, reject } = Promise.withResolvers<Stream>();
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
  const clientRequest = request(`${url}/api/events`, { headers, agent: false }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`open a stream: ${response.statusCode}`));
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

/** Creates an environment, which publishes exactly one event. */
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

/**
 * Returns the commit times of the events by sequence number, in milliseconds since the epoch, from their `at` field.
 */
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
