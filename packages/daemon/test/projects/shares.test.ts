/** Tests the limits of shared resources for each project. They prevent that one project uses all of a resource. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { app, bootDaemon, project, user } from '@davit/testkit';

describe('resource limits per project', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('refuse another linked object store when the project has 25', async () => {
    const [full, other] = [await project(daemon), await project(daemon)];
    const admin = user(daemon, 'admin', [full]);
    const keys = { access_key: 'key', secret_key: 'secret-key' };
    const link = (name: string, of: string, key?: string) => {
      const body = {
        name,
        provider: 'generic',
        endpoint: 'https://s3.example.com',
        region: 'eu',
        project: of,
        ...keys,
      };
      return daemon.call('POST', '/api/object-stores?check=false', body, key);
    };
    for (let n = 0; n < 25; n += 1) {
      const { status, text } = await link(`store-${n}`, full, admin.key);
      assert.equal(status, 201, text);
    }

    const { status, text } = await link('one-more', full, admin.key);

    assert.equal(status, 409, text);
    assert.match(text, /The project has 25 object stores/);
    assert.equal((await link('elsewhere', other)).status, 201);
  });

  it('refuse another TCP port when the project has 128', async () => {
    const [full, other] = [await project(daemon), await project(daemon)];
    const add = (reference: string, n: number) =>
      daemon.call('POST', `/api/apps/${reference}/tcp-ports`, { container_port: n + 1 });
    for (let of = 0; of < 4; of += 1) {
      const { reference } = await app(daemon, { project: full });
      for (let n = 0; n < 32; n += 1) assert.equal((await add(reference, n)).status, 201);
    }

    const { status, text } = await add((await app(daemon, { project: full })).reference, 0);

    assert.equal(status, 409, text);
    assert.match(text, /The project has 128 TCP ports/);
    assert.equal((await add((await app(daemon, { project: other })).reference, 0)).status, 201);
  });
});
