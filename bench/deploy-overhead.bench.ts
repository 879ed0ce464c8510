/**
 * What Davit adds to a deploy: `POST deploy?wait=true` of an image that is present, one replica, replacing a live release,
 * against the bare Engine calls for the same container. In pairs, whose order alternates; each begins when everything
 * before is over, and the removal of the old container is on neither's clock.
 */
import { type AppParams, startInstance } from '../test/support/instance.ts';
import { TEST_APP_PORT, testAppImage } from '../test/support/test-app-image.ts';
import { BareEngine } from './support/bare-engine.ts';
import { conclude, formOf, median, quantile, rounded, say } from './support/result.ts';

const PAIRS = { short: 5, usual: 20, long: 40 };
const LIMIT = 1.25;
const APP: AppParams = { project: 'bench', environment: 'production', app: 'web' };

const form = formOf();
await using instance = await startInstance();
const image = await testAppImage(instance.docker);
await instance.createApp(APP, { image, port: TEST_APP_PORT });
using bare = new BareEngine();
const davitMs: number[] = [];
const bareMs: number[] = [];
const steps: Record<string, number[]> = {};
let former: string | null = null;

async function throughDavit(tag: string): Promise<void> {
  const from = performance.now();
  const deployment = await instance.deploy(APP, tag);
  const ms = performance.now() - from;
  if (deployment.status !== 'succeeded') throw new Error(`deploy ${tag}: ${deployment.error}`);
  await instance.atRest(APP);
  davitMs.push(ms);
  for (const { name, started_at, finished_at } of deployment.steps) {
    steps[name] = [...(steps[name] ?? []), Date.parse(finished_at ?? '') - Date.parse(started_at)];
  }
}

async function bareCalls(turn: number): Promise<void> {
  const live = (await instance.client.getApp({ params: APP })).instances[0];
  const like = await instance.docker.getContainer(live?.name ?? '').inspect();
  // Out of the part of the subnet where Davit gives no addresses; a former one is never asked again.
  const address = (live?.address ?? '').replace(/\d+$/, String(241 + (turn % 10)));
  const { id, ms } = await bare.run(
    `bench-${instance.id}-${turn}`,
    bare.requestLike(like, address),
    address,
    TEST_APP_PORT,
  );
  bareMs.push(ms);
  if (former !== null) await bare.remove(former);
  former = id;
}

try {
  // One of each outside the count: the network, the compiled code and the caches are there for all that follow.
  await throughDavit('v1');
  await bareCalls(0);
  await throughDavit('v2');
  for (const list of [davitMs, bareMs, ...Object.values(steps)]) list.length = 0;
  for (let pair = 1; pair <= PAIRS[form]; pair += 1) {
    const tag = pair % 2 === 0 ? 'v2' : 'v1';
    const both = [() => throughDavit(tag), () => bareCalls(pair)];
    for (const one of pair % 2 === 0 ? both : both.toReversed()) await one();
    say(`pair ${pair}: davit ${davitMs.at(-1)?.toFixed(0)} ms, bare ${bareMs.at(-1)?.toFixed(0)} ms`);
  }
} finally {
  if (former !== null) await bare.remove(former);
}

const ratio = median(davitMs) / median(bareMs);
await conclude(
  {
    name: 'deploy-overhead',
    promise: 'A deploy that replaces a live release, against the bare Engine calls for the same container',
    limit: `≤ ${LIMIT} ×`,
    value: rounded(ratio),
    unit: '×',
    ratio: rounded(ratio),
    ok: ratio <= LIMIT,
    details: {
      pairs: davitMs.length,
      davit_median_ms: rounded(median(davitMs)),
      bare_median_ms: rounded(median(bareMs)),
      davit_quartiles_ms: [rounded(quantile(davitMs, 0.25)), rounded(quantile(davitMs, 0.75))],
      bare_quartiles_ms: [rounded(quantile(bareMs, 0.25)), rounded(quantile(bareMs, 0.75))],
      steps_median_ms: Object.fromEntries(Object.entries(steps).map(([name, ms]) => [name, median(ms)])),
    },
  },
  form,
);
