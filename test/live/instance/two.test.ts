/** Two instances with different settings on one engine. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { requestSteadily } from '../../support/ask-steadily.ts';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

describe('two instances on the same engine', { skip: whyNoEngine() ?? inLong.skip }, () => {
  let one: LiveHarness;
  let other: LiveHarness;
  let mine: LiveApp;
  let theirs: LiveApp;

  before(async () => {
    const flags = ['--domain', 'other.test', '--network-pool', '10.96.0.0/16'];
    [one, other] = await Promise.all([LiveHarness.create(), LiveHarness.create({ flags })]);
    for (const harness of [one, other]) await harness.client.createProject({ body: { slug: 'shop' } });
    [mine, theirs] = await Promise.all([
      one.deployedApp({ project: 'shop' }),
      other.deployedApp({ project: 'shop', scale: 2 }, 'v2'),
    ]);
  });
  after(async () => {
    await Promise.all([one?.[Symbol.asyncDispose](), other?.[Symbol.asyncDispose]()]);
  });

  test('serve apps of the same name at different hosts', async () => {
    const { suggested_host: theirHost } = await theirs.read();

    assert.match((await mine.get()).text, /^v1 /);
    assert.equal(theirHost, 'web.production.shop.other.test');
    assert.match((await other.get(theirHost)).text, /^v2 /);
    assert.equal((await one.get(theirHost)).status, 404);
    assert.equal((await other.get(mine.host)).status, 404);
  });

  test('use networks from separate address pools', async () => {
    const addresses = async (app: LiveApp) => (await app.read()).replicas.map(({ address }) => address);

    assert.deepEqual((await addresses(mine)).map(poolOf), ['10.208.0.0/12']);
    assert.deepEqual((await addresses(theirs)).map(poolOf), ['10.96.0.0/16', '10.96.0.0/16']);
  });

  test('keep their objects unchanged when an instance restarts', async () => {
    const before = { mine: await one.objects(), theirs: await other.objects() };

    await one.instance.kill();
    await one.instance.start();

    assert.deepEqual({ mine: await one.objects(), theirs: await other.objects() }, before);
  });

  test('keep the other instance unchanged when a project is deleted', async () => {
    const before = await one.objects();
    const load = requestSteadily(mine, ({ text }) => text.startsWith('v1 '));

    await other.client.deleteProject({ params: { project: 'shop' } });

    assert.deepEqual((await load.stop()).wrong, []);
    assert.deepEqual(await one.objects(), before);
    assert.match((await other.objects()).join(), /^davit-[a-z0-9]{8}-proxy-1 [0-9a-f]{64}$/);
    assert.equal((await one.deployedApp({ project: 'shop', name: 'next' })).params.app, 'next');
  });
});

function poolOf(address: string): string {
  const [first, second] = address.split('.').map(Number);
  if (first === 10 && second === 96) return '10.96.0.0/16';
  return first === 10 && (second ?? 0) >= 208 && (second ?? 0) <= 223 ? '10.208.0.0/12' : address;
}
