/** Names that are reserved for images that Davit builds. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { bootDaemon, app as newApp, type TestDaemon } from '@davit/testkit';

describe('an app with an image name reserved for platform images', () => {
  let daemon: TestDaemon;

  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  const said = ({ text }: { text: string }) => text.trim();

  for (const image of ['davit/haproxy', 'docker.io/davit/postgres', 'index.docker.io/davit/x']) {
    test(`is refused on creation and on change: ${image}`, async () => {
      const free = await newApp(daemon, { image: 'acme/web' });
      const spec = { project: free.project, name: 'other', source: 'image', image };

      const created = await daemon.call('POST', '/api/apps', spec);
      const changed = await daemon.call('PATCH', `/api/apps/${free.reference}`, { image });

      assert.deepEqual([created.status, changed.status], [400, 400]);
      assert.match(said(created), /^image: .*reserved for images that Davit builds/);
    });
  }

  test('is refused on deployment if stored by an earlier version', async () => {
    const app = await newApp(daemon, { image: 'acme/web' });
    daemon.core.store.tx((tx) => {
      for (const table of ['apps', 'revisions'])
        tx.run(`UPDATE ${table} SET spec = replace(spec, '"acme/web"', '"docker.io/davit/haproxy"')`);
    });

    const deployed = await daemon.call('POST', `/api/apps/${app.reference}/deploy`, { tag: 'v1' });

    assert.equal(deployed.status, 409);
    assert.match(said(deployed), /^Cannot deploy davit\/haproxy: .* Set another image for the app\.$/);
    assert.equal(daemon.engine.controls.count('pullImage'), 0);
  });
});
