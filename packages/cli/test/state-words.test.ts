/** Tests the words of states and changes in lists. The words must say what happened, without the API description. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bootDaemon, project, slug, type TestDaemon } from '@davit/testkit';
import { Davit } from './support/davit.ts';

describe('a list', () => {
  const name = slug('words');
  const reference = `${name}/production/web`;
  const params = { project: name, environment: 'production', app: 'web' };
  let daemon: TestDaemon;
  let davit: Davit;
  before(async () => {
    daemon = await bootDaemon();
    davit = await Davit.at(daemon);
    await project(daemon, name);
    await daemon.client.createApp({ body: { project: name, name: 'web', source: 'image', image: 'example/web' } });
  });
  after(async () => {
    await davit[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  it('of revisions names the settings that a change of scale affects', async () => {
    await daemon.client.patchApp({ params, body: { scale: 2 } });
    await daemon.client.patchApp({ params, body: { scale: 1 } });

    for (const command of ['list', 'get']) {
      const { stdout } = await davit.run(['revision', command, reference, ...(command === 'get' ? ['2'] : [])]);
      assert.match(stdout, /Changed scale, limits or labels/);
      assert.doesNotMatch(stdout, /running/);
    }
  });

  it('of volumes says whether an app has the volume', async () => {
    await daemon.client.addVolume({ params, body: { path: '/data' } });

    for (const app of [[], [reference]]) {
      const { stdout } = await davit.run(['volume', 'list', ...app]);
      assert.match(stdout, /\/data +attached /);
    }
  });
});
