import assert from 'node:assert/strict';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { namePrefix } from '../../src/adapters/engine/names.ts';
import type { Stage } from './rig.ts';

export const namePromises: Record<string, (stage: Stage) => Promise<void>> = {
  'resolves internal names only on their own network': async (stage) => {
    const { engine, rig } = stage;
    const own = (await stage.network()).name;
    const other = (await engine.ensureNetwork(`${namePrefix(rig.davitId)}other`)).name;
    const name = 'shop.production.acme.internal';

    await engine.publishNames([
      { network: own, name, addresses: ['10.208.3.10'] },
      { network: other, name: 'other.staging.acme.internal', addresses: ['10.208.3.11'] },
    ]);

    assert.deepEqual(await rig.resolve(name, own), ['10.208.3.10']);
    assert.deepEqual(await rig.resolve(name, other), []);
    assert.deepEqual(await rig.resolve('other.staging.acme.internal', other), ['10.208.3.11']);
    assert.deepEqual(await rig.resolve('other.staging.acme.internal', own), []);
    await engine.publishNames([]);
    await engine.removeNetwork(other);
  },

  'resolves an internal name only while the name is published': async (stage) => {
    const { engine, rig } = stage;
    const network = (await stage.network()).name;
    const name = 'shop.production.acme.internal';
    assert.deepEqual(await rig.resolve(name, network), []);

    await engine.publishNames([{ network, name, addresses: ['10.208.3.10', '10.208.3.11'] }]);
    assert.deepEqual((await rig.resolve(name, network)).sort(), ['10.208.3.10', '10.208.3.11']);

    await engine.publishNames([{ network, name, addresses: ['10.208.3.11'] }]);
    assert.deepEqual(await rig.resolve(name, network), ['10.208.3.11']);

    await engine.publishNames([]);
    assert.deepEqual(await rig.resolve(name, network), []);
  },

  'replaces previously published names and applies the last of several concurrent calls': async (stage) => {
    const { engine, rig } = stage;
    const network = (await stage.network()).name;
    const records = ['one', 'two', 'three'].map((name) => [
      { network, name: `${name}.internal`, addresses: ['10.208.3.10'] },
    ]);

    await Promise.all(records.map((record) => engine.publishNames(record)));

    assert.deepEqual(await rig.resolve('one.internal', network), []);
    assert.deepEqual(await rig.resolve('three.internal', network), ['10.208.3.10']);
    await engine.publishNames([]);
  },

  'refuses invalid host names and keeps the names published before': async (stage) => {
    const { engine, rig } = stage;
    const network = (await stage.network()).name;
    await engine.publishNames([{ network, name: 'kept.internal', addresses: ['10.208.3.10'] }]);

    for (const name of ['a b', 'a\nb', '', '-a', 'A', 'a..b']) {
      await assert.rejects(engine.publishNames([{ network, name, addresses: ['10.208.3.10'] }]), EngineRefused);
    }

    assert.deepEqual(await rig.resolve('kept.internal', network), ['10.208.3.10']);
    await engine.publishNames([]);
  },
};
