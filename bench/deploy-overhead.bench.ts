/**
 * Compares a deployment with direct calls of the Engine API for the same container. The deployment is
 * `POST deploy?wait=true` of an image that is already present. It replaces the live release of an app with one replica.
 * Pairs run in alternating order, each after all previous work has ended. The removal of the old container is not
 * measured on either side.
 */
import { type AppParams, startInstance } from '../test/support/instance.ts';
import { TEST_APP_PORT, testAppImage } from '../test/support/test-app-image.ts';
import { BareEngine } from './support/bare-engine.ts';
import { comparison, inPairs } from './support/pairs.ts';
import { conclude, formOf, median } from './support/result.ts';

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
const DAVIT = ['davit', davitMs] as const;
const BARE = ['bare', bareMs] as const;
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
  const live = (await instance.client.getApp({ params: APP })).replicas[0];
  const like = await instance.docker.getContainer(live?.name ?? '').inspect();
  // Davit does not assign this part of the subnet. The former container still runs, so the new one has another address.
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
  // The first runs are not counted, because they create the network, compile code and fill caches.
  await throughDavit('v1');
  await bareCalls(0);
  await throughDavit('v2');
  for (const list of [davitMs, bareMs, ...Object.values(steps)]) list.length = 0;
  const tagOf = (pair: number) => (pair % 2 === 0 ? 'v2' : 'v1');
  await inPairs(PAIRS[form], (pair) => throughDavit(tagOf(pair)), bareCalls, [DAVIT, BARE]);
} finally {
  if (former !== null) await bare.remove(former);
}

await conclude(
  {
    name: 'deploy-overhead',
    promise: 'Deployment that replaces a release, compared with direct Docker calls',
    ...comparison(LIMIT, DAVIT, BARE, {
      steps_median_ms: Object.fromEntries(Object.entries(steps).map(([name, ms]) => [name, median(ms)])),
    }),
  },
  form,
);
