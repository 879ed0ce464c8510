/** Tests that `davit up` does not deploy images of a project without access, in any spelling of the image reference. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { app, bootDaemon, project, type TestDaemon, user } from '@davit/testkit';
import { hubSpellings, imageIdSpellings, ownImageSpellings } from '@davit/testkit/image-spellings';
import { partOf } from '../../../test/support/tiers.ts';
import { Davit } from './support/davit.ts';

const SECRET = 'bravo/production/secret';

describe('davit up with image references', () => {
  let daemon: TestDaemon;
  let davit: Davit;
  before(async () => {
    daemon = await bootDaemon();
    for (const name of ['alpha', 'bravo']) await project(daemon, name);
    // The app has a fixed tag, because a later push must not start a deployment.
    await app(daemon, { project: 'bravo', name: 'secret', source: 'registry', image: null, tag: 'v0' });
    daemon.registry.push(SECRET, 'v1');
    davit = await Davit.at({ url: daemon.url, key: user(daemon, 'member', ['alpha']).key });
  });
  after(async () => {
    await davit?.[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  const up = async (image: string, tag: string) => {
    const from = daemon.engine.controls.imageCalls.length;
    const file = ['app: alpha/production/web', `image: ${JSON.stringify(image)}`, `tag: "${tag}"`, 'port: 8080', ''];
    await davit.write('davit.yaml', file.join('\n'));
    const ran = await davit.run(['up']);
    return { ...ran, names: daemon.engine.controls.imageCalls.slice(from).map(({ reference }) => reference) };
  };

  it('deploys no image of a hidden project and no image ID, regardless of spelling', async () => {
    const allowed = await up('Registry.Example:0443/acme/web', '58');
    assert.equal(allowed.code, 0, allowed.stderr);
    assert.deepEqual([...new Set(allowed.names)], ['registry.example/acme/web:58']);

    const { ports, domain } = daemon.core.facts;
    const own = ownImageSpellings({ port: ports.registry, domain, repository: SECRET });
    const spellings = [...own, ...hubSpellings(`davit-a1b2c3d4/${SECRET}`), ...imageIdSpellings()];
    for (const image of partOf(spellings, 3, 40)) {
      const { code, names, stdout } = await up(image, '58');
      assert.notEqual(code, 0, `${JSON.stringify(image)}: ${stdout}`);
      assert.deepEqual(names, [], image);
    }
    assert.ok(spellings.length >= 2_000);
  });
});
