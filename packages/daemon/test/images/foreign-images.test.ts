/** Images of other registries in a whole daemon: the requests that are sent, and the messages for users. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Deployment } from '@davit/api';
import { bootDaemon, app as makeApp, type TestDaemon, user } from '@davit/testkit';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { FakeRegistry } from '../support/fake-registry.ts';

const SECRET = 'SECRET-TEXT-OF-THE-REGISTRY';

describe('images of other registries', () => {
  let daemon: TestDaemon;
  let registry: FakeRegistry;
  before(async () => {
    daemon = await bootDaemon({ realRegistries: true });
    registry = await FakeRegistry.start();
  });
  afterEach(async () => {
    registry.handler = null;
    registry.requests.length = 0;
    await list([]);
  });
  after(async () => {
    await registry[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  const list = (hosts: string[]) => daemon.client.patchSettings({ body: { registries: { private_hosts: hosts } } });
  const deploy = async (image: string, tag = 'v1', key = daemon.key): Promise<Deployment> => {
    const app = await makeApp(daemon, { image, pull: 'always' });
    const path = `/api/apps/${app.reference}/deploy?wait=true`;
    const { text } = await daemon.call('POST', path, { tag }, key);
    return JSON.parse(text) as Deployment;
  };

  it('are pulled from a private address only if an admin has listed the registry', async () => {
    registry.add('acme/web', 'v1', 'bytes');

    const refused = await deploy(`${registry.host}/acme/web`);
    assert.deepEqual([refused.status, refused.error_code], ['failed', 'registry_not_public']);
    assert.deepEqual(registry.requests, []);
    await list([registry.host]);
    const { status, digest, image } = await deploy(`${registry.host}/acme/web`);

    assert.equal(status, 'succeeded');
    assert.match(digest ?? '', /^sha256:/);
    assert.equal((await daemon.engine.findImage(image))?.digest, digest, 'the engine knows it by its own name');
  });

  it('fail with an error code and without any text from the registry response', async () => {
    await list([registry.host]);
    const { key } = user(daemon, 'member');
    const events: string[] = [];
    daemon.core.store.onEvent((event) => void events.push(JSON.stringify(event)));
    for (const [code, answer] of [
      ['image_not_found', 404],
      ['registry_unauthorized', 403],
      ['registry_unreachable', 500],
      ['registry_answer_invalid', 302],
    ] as const) {
      registry.handler = ({ url }, response) => {
        if (url === '/v2/') return false;
        return !!response
          .writeHead(answer, SECRET, { location: `http://127.0.0.1:1/${SECRET}`, 'x-text': SECRET })
          .end(SECRET);
      };

      const record = await deploy(`${registry.host}/acme/${code}`, 'v1', key);

      // A redirect into the private network is refused before all other checks.
      const expected = answer === 302 ? 'registry_not_public' : code;
      assert.equal(record.error_code, expected, record.error ?? '');
      const { text: read } = await daemon.call('GET', `/api/deployments/${record.id}`, undefined, key);
      const { text: audit } = await daemon.call('GET', '/api/audit');
      const { text: logs } = await daemon.call('GET', `/api/apps/${record.app}/logs`, undefined, key);
      for (const text of [read, audit, logs, ...events]) assert.equal(text.includes(SECRET), false, text);
    }
  });

  it('show a fixed error for a failed engine pull and log the text of the engine', async () => {
    await list([registry.host]);
    registry.add('acme/web', 'v2', 'bytes');
    daemon.engine.controls.fail('pullImage', { times: 3, error: new EngineRefused(`pull x: ${SECRET}-of-the-engine`) });

    const record = await deploy(`${registry.host}/acme/web`, 'v2');

    assert.equal(record.error_code, 'image_pull_failed');
    assert.equal(JSON.stringify(record).includes(SECRET), false);
    assert.ok(daemon.log.lines.some((line) => line.includes(`${SECRET}-of-the-engine`)));
  });

  it('do not allow credentials for a host without an allowed address', async () => {
    const body = { host: registry.host, username: 'ada', password: 'p' };
    const { status, text } = await daemon.call('POST', '/api/registries', body);
    assert.equal(status, 409, text);
    assert.match(text, /private_hosts/);
    assert.deepEqual(registry.requests, []);
  });
});
