/**
 * Measures reads of single apps and deployments with 10,000 apps and 1,000,000 deployments in the database. Compares
 * them with the same reads of a small database. Both databases were filled in the same way, and both daemons run at the
 * same time. Rounds alternate between them, so that other load of the machine affects both. Each of the 16 clients
 * reads random apps.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Instance, startInstance } from '../test/support/instance.ts';
import { filledApps, fillStore, type StoreSize } from './support/fill-store.ts';
import { conclude, formOf, median, rounded, say } from './support/result.ts';
import { makeSampleApp, pathOf, readAs } from './support/sample-app.ts';
import { CLIENTS, wrk } from './support/wrk.ts';

const LIMIT = 1.5;
const ROUNDS = { short: 2, usual: 5, long: 10 };
const SECONDS = { short: 2, usual: 5, long: 10 };
const SMALL: StoreSize = { projects: 1, appsPerProject: 10, deploymentsPerApp: 10 };
const LARGE: StoreSize = { projects: 100, appsPerProject: 100, deploymentsPerApp: 100 };
/** Pause after the start, so that the first run of the reconciler is not measured. */
const SETTLE_MS = 3_000;

interface Side {
  instance: Instance;
  apps: string[];
  deployments: string[];
  startMs: number;
}

async function filled(size: StoreSize): Promise<Side> {
  const instance = await startInstance({ engine: 'memory' });
  try {
    await makeSampleApp(instance);
    await instance.stop();
    fillStore(instance.dataDir, size);
    await instance.start();
    const apps = filledApps(size);
    // Deployment 1 belongs to the sample app. Then come the first deployments of all apps, the second ones, and so on.
    const deployments = apps.map(
      (app, i) => `${pathOf(app)}/deployments/${2 + i + apps.length * (i % size.deploymentsPerApp)}`,
    );
    return { instance, apps: apps.map(pathOf), deployments, startMs: instance.startedInMs };
  } catch (error) {
    await instance[Symbol.asyncDispose]();
    throw error;
  }
}

/** Returns the median time per request of all rounds in microseconds, for both databases. */
async function compare(what: 'apps' | 'deployments', small: Side, large: Side) {
  const took = { small: [] as number[], large: [] as number[] };
  // These rounds are not counted, because the first reads of a database come from the disk.
  for (const side of [small, large]) await wrk(side.instance.url, side[what], side.instance.key, SECONDS[form]);
  for (let round = 1; round <= ROUNDS[form]; round += 1) {
    for (const [name, side] of Object.entries({ small, large }) as ['small' | 'large', Side][]) {
      const { perSecond } = await wrk(side.instance.url, side[what], side.instance.key, SECONDS[form]);
      took[name].push(1e6 / perSecond);
    }
    say(
      `${what}, round ${round}: small ${took.small.at(-1)?.toFixed(0)} µs, large ${took.large.at(-1)?.toFixed(0)} µs`,
    );
  }
  const [smallUs, largeUs] = [median(took.small), median(took.large)];
  return { small_us: rounded(smallUs), large_us: rounded(largeUs), ratio: rounded(largeUs / smallUs) };
}

const form = formOf();
await using small = await disposable(filled(SMALL));
await using large = await disposable(filled(LARGE));
await delay(SETTLE_MS);
const body = await readAs(large.instance, large.apps.at(-1) ?? '');
const apps = await compare('apps', small, large);
const deployments = await compare('deployments', small, large);
await conclude(
  {
    name: 'api-growth',
    promise: `Time to read an app with 10,000 apps and 1,000,000 deployments, compared with a small database, ${CLIENTS} clients`,
    limit: `≤ ${LIMIT} ×`,
    value: apps.ratio,
    unit: '×',
    ratio: apps.ratio,
    ok: apps.ratio <= LIMIT && deployments.ratio <= LIMIT,
    details: {
      read_of_an_app: apps,
      read_of_a_deployment: deployments,
      rounds: `${ROUNDS[form]} of ${SECONDS[form]} s each`,
      start_ms: { small: Math.round(small.startMs), large: Math.round(large.startMs) },
      body_bytes: Buffer.byteLength(body),
      stored: `${LARGE.projects * LARGE.appsPerProject} apps, ${LARGE.projects * LARGE.appsPerProject * LARGE.deploymentsPerApp} deployments, steps for the newest tenth of the deployments`,
    },
  },
  form,
);

async function disposable(making: Promise<Side>): Promise<Side & AsyncDisposable> {
  const side = await making;
  return { ...side, [Symbol.asyncDispose]: () => side.instance[Symbol.asyncDispose]() };
}
