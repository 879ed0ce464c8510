/**
 * Measures how long an app is down after a fault. The faults are a killed or removed container, a removed network, a
 * restart of the engine, and an image that is removed and loaded again. The benchmark starts its own engine, so that a
 * restart does not affect other containers of the machine.
 */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type LiveApp, LiveHarness } from '../test/support/live-harness.ts';
import { PrivateEngine } from '../test/support/private-engine.ts';
import { conclude, formOf, median, quantile, rounded, say } from './support/result.ts';

const TRIES = { short: 1, usual: 5, long: 20 };
const LIMIT_S = 15;
/** The benchmark fails if an app does not answer within this time. */
const GIVE_UP_MS = 120_000;

const form = formOf();
await using engine = await PrivateEngine.create({ liveRestore: false });
await using harness = await LiveHarness.create({ place: engine });
const app = await harness.deployedApp();
/** Further apps, so that the network of the first app is not the only one to repair. */
const others = [await harness.deployedApp(), await harness.deployedApp({ scale: 2 })];

/**
 * Each function causes a fault. It resolves when the engine answers and has the image: the measured time begins then.
 */
const FAULTS: Record<string, () => Promise<void>> = {
  container_killed: async () => {
    await Promise.all((await app.containers()).map(({ Id }) => harness.docker.getContainer(Id).kill()));
  },
  container_removed: () => removeContainers(app),
  network_removed: removeNetwork,
  image_removed: removeImage,
  engine_restarted: async () => {
    await engine.stop();
    await engine.start({ liveRestore: false });
  },
};

const gaps = new Map<string, number[]>(Object.keys(FAULTS).map((name) => [name, []]));
for (let n = 0; n < TRIES[form]; n += 1) {
  for (const [name, causeFault] of Object.entries(FAULTS)) {
    await allServed();
    await causeFault();
    const since = performance.now();
    await allServed();
    gaps.get(name)?.push((performance.now() - since) / 1_000);
  }
}

const all = [...gaps.values()].flat();
const worst = Math.max(...all);
for (const [name, each] of gaps) say(`${name.replaceAll('_', ' ')}: ${each.map((s) => s.toFixed(2)).join(' ')} s`);
await conclude(
  {
    name: 'app-recovery',
    promise: 'Longest time until an app serves again after a fault, once Docker answers and has the image',
    limit: `≤ ${LIMIT_S} s`,
    value: rounded(worst),
    unit: 's',
    ok: worst <= LIMIT_S,
    details: {
      median_s: rounded(median(all)),
      ...Object.fromEntries(
        [...gaps].map(([name, each]) => [
          name,
          `median ${rounded(median(each))} s, longest ${rounded(quantile(each, 1))} s`,
        ]),
      ),
      tries: `${TRIES[form]} each`,
    },
  },
  form,
);

async function removeContainers(of: LiveApp): Promise<void> {
  await Promise.all((await of.containers()).map(({ Id }) => harness.docker.getContainer(Id).remove({ force: true })));
}

async function removeNetwork(): Promise<void> {
  const [container] = await app.containers();
  for (const name of Object.keys(container?.NetworkSettings.Networks ?? {})) {
    const network = harness.docker.getNetwork(name);
    // The daemon may reconnect containers in the meantime, so the removal is repeated until it succeeds.
    for (let isRemoved = false; !isRemoved; ) {
      const { Containers = {} } = await network.inspect();
      const disconnect = (Container: string) => network.disconnect({ Container, Force: true }).catch(() => undefined);
      await Promise.all(Object.keys(Containers).map(disconnect));
      isRemoved = await network.remove().then(
        () => true,
        () => false,
      );
    }
  }
}

/** Removes the image and its containers, waits until the daemon reports the failure, and loads the image again. */
async function removeImage(): Promise<void> {
  const [container] = await app.containers();
  const archive = await buffer(await harness.docker.getImage(`${harness.image}:v1`).get());
  await harness.instance.stop();
  for (const each of [app, ...others]) await removeContainers(each);
  await harness.docker.getImage(container?.ImageID ?? '').remove({ force: true });
  await harness.instance.start();
  while ((await app.read()).status_reason === null) await delay(50);
  const loaded = await harness.docker.loadImage(Readable.from([archive]));
  await new Promise<void>((resolve, reject) => {
    harness.docker.modem.followProgress(loaded, (error) => (error ? reject(error) : resolve()));
  });
}

async function allServed(): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  for (const each of [app, ...others]) {
    while ((await each.get().catch(() => null))?.status !== 200) {
      if (performance.now() > deadline) throw new Error(`${each.host} did not answer again within ${GIVE_UP_MS} ms`);
      await delay(20);
    }
  }
}
