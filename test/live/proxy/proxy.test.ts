/** The proxy of a whole instance while other parts are changed, stopped or killed. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import { createDockerClient } from '../../../packages/daemon/src/adapters/engine/docker/client/client.ts';
import { ensureProxyImage } from '../../../packages/daemon/src/adapters/proxy/haproxy/image.ts';
import { parseInfo, sendCommands } from '../../../packages/daemon/src/adapters/proxy/haproxy/runtime.ts';
import { openState } from '../../../packages/daemon/src/composition/state.ts';
import { writeSetting } from '../../../packages/daemon/src/db/tables/settings.ts';
import { requestSteadily } from '../../support/ask-steadily.ts';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { testAppImage } from '../../support/test-app-image.ts';
import { tarOf } from '../../support/test-app-tar.ts';
import { inLong, someOf } from '../../support/tiers.ts';
import { LIGHT_LOAD, startTraffic } from '../../support/traffic.ts';

describe('the proxy of a live instance', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;
  let app: LiveApp;
  let neighbour: LiveApp;

  before(async () => {
    harness = await LiveHarness.create();
    await ownAccessPort();
    const image = await testAppImage(harness.docker);
    app = await harness.deployedApp({ image });
    neighbour = await harness.deployedApp({ image });
  });
  after(() => harness?.[Symbol.asyncDispose]());

  /**
   * Gives the instance a unique port for the proxy's records. By default all instances use the same port or the next
   * one. Another instance that starts while this daemon is stopped would take the port, and the proxy would be reloaded
   * with another port.
   */
  async function ownAccessPort(): Promise<void> {
    const { dataDir } = harness.instance;
    const port = String(await freePort());
    await harness.instance.stop();
    {
      using state = openState({ dataDir, masterKeyFile: join(dataDir, 'master.key') });
      state.store.tx((tx) => writeSetting(tx, 'port.access', port));
    }
    await harness.instance.start();
  }

  /**
   * Returns the newest proxy container and its worker. A reload creates another worker, and a replacement another
   * container.
   */
  async function proxy(): Promise<{ container: string; worker: number }> {
    const filters = { label: [`davit.instance=${harness.instance.id}`, 'davit.kind=proxy'] };
    const [newest] = await harness.docker.listContainers({ all: true, filters });
    const socket = join(harness.instance.dataDir, 'proxy', `${newest?.Labels['davit.generation']}.sock`);
    const [info = ''] = await sendCommands(socket, ['show info']);
    return { container: newest?.Id ?? '', worker: parseInfo(info).pid };
  }

  /** Starts requests of every class, none of which may be lost. */
  function traffic() {
    const { httpPort: port } = harness.instance;
    return startTraffic({ port, host: app.host, neighbour: neighbour.host, rates: LIGHT_LOAD });
  }

  test('serves a new host without a reload', async () => {
    const before = await proxy();

    const other = await harness.deployedApp();
    const host = `own-${other.params.project}.example`;
    await harness.client.addDomain({ params: other.params, body: { host } });

    assert.match((await other.get()).text, /^v1 /);
    const own = await until(
      'the domain is served',
      () => harness.get(host),
      ({ status }) => status === 200,
    );
    assert.match(own.text, /^v1 /);
    assert.deepEqual(await proxy(), before);
  });

  for (const how of someOf(['kill', 'stop'] as const)) {
    test(`loses no request when the daemon ends by ${how} and starts again`, async () => {
      await using requests = await traffic();
      const before = await proxy();

      await harness.instance[how]();
      const away = await app.get();
      await harness.instance.start();

      assert.equal(away.status, 200);
      assert.deepEqual((await requests.stop()).lost, {});
      assert.deepEqual(await proxy(), before);
    });
  }

  test('returns a 503 message at the instance’s own host without the daemon', async () => {
    await harness.instance.stop();
    const { status, headers, text } = await harness.get('davit.test', '/healthz');
    await harness.instance.start();

    assert.equal(status, 503);
    assert.match(headers['content-type'] ?? '', /^text\/plain/);
    assert.match(text, /\.\n$/);
  });

  test('restarts with every route if killed while the daemon is stopped', inLong, async () => {
    const { container } = await proxy();
    await harness.instance.kill();
    const { State } = await harness.docker.getContainer(container).inspect();

    process.kill(State.Pid, 'SIGKILL');
    await until(
      'the engine sees it',
      () => harness.docker.getContainer(container).inspect(),
      (c) => c.State.Pid !== State.Pid,
    );
    const answers = await Promise.all(
      [app, neighbour].map((one) =>
        until(
          one.host,
          () => statusOf(one),
          (code) => code === 200,
        ),
      ),
    );
    const unknown = await harness.get('unknown.example');
    await harness.instance.start();

    assert.deepEqual([...answers, unknown.status], [200, 200, 404]);
    assert.equal((await proxy()).container, container);
  });

  async function statusOf(one: LiveApp): Promise<number> {
    return one.get().then(
      ({ status }) => status,
      () => 0,
    );
  }

  test('switches to another proxy image without a lost request', inLong, async () => {
    const image = await otherProxyImage();
    await using requests = await traffic();
    const before = await proxy();

    await harness.instance.stop();
    await harness.instance.start(['--proxy-image', image]);
    const report = await requests.stop();

    const now = await proxy();
    assert.notEqual(now.container, before.container);
    assert.deepEqual(report.lost, {});
    const { Image } = await harness.docker.getContainer(now.container).inspect();
    assert.equal(Image, (await harness.docker.getImage(image).inspect()).Id);
  });

  test('deploys an app without a failed request after the switch to another proxy image', inLong, async () => {
    const load = requestSteadily(app, ({ status }) => status === 200);

    assert.equal((await app.deploy('v2')).status, 'succeeded');

    assert.match((await app.get()).text, /"tag":"v2"/);
    assert.deepEqual((await load.stop()).wrong, []);
  });

  /**
   * Creates an image with the content of the proxy's image and another id.
   * @returns its reference
   */
  async function otherProxyImage(): Promise<string> {
    await using client = createDockerClient(null);
    const from = await ensureProxyImage(client, null);
    const reference = 'davit-test/other-proxy:1';
    const context = Readable.from([tarOf('Dockerfile', `FROM ${from}\nLABEL other=yes\n`)]);
    const messages = await harness.docker.buildImage(context, { t: reference, rm: true, forcerm: true });
    await new Promise<void>((resolve, reject) => {
      harness.docker.modem.followProgress(messages, (error) => (error ? reject(error) : resolve()));
    });
    return reference;
  }
});
