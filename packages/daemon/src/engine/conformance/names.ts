import assert from 'node:assert/strict';
import { EngineRefused } from '../errors.ts';
import type { Stage } from './rig.ts';

export const namePromises: Record<string, (stage: Stage) => Promise<void>> = {
  'resolves an internal name once it is published, and no more once it is not': async (stage) => {
    const { engine, rig } = stage;
    const network = (await stage.network()).name;
    const name = 'shop.production.acme.internal';
    assert.deepEqual(await rig.resolve(name, network), []);

    await engine.publishNames([{ name, addresses: ['10.208.3.10', '10.208.3.11'] }]);
    assert.deepEqual((await rig.resolve(name, network)).sort(), ['10.208.3.10', '10.208.3.11']);

    await engine.publishNames([{ name, addresses: ['10.208.3.11'] }]);
    assert.deepEqual(await rig.resolve(name, network), ['10.208.3.11']);

    await engine.publishNames([]);
    assert.deepEqual(await rig.resolve(name, network), []);
  },

  'publishes the whole state each time, and the newest of several at once': async (stage) => {
    const { engine, rig } = stage;
    const network = (await stage.network()).name;
    const records = ['one', 'two', 'three'].map((name) => [{ name: `${name}.internal`, addresses: ['10.208.3.10'] }]);

    await Promise.all(records.map((record) => engine.publishNames(record)));

    assert.deepEqual(await rig.resolve('one.internal', network), []);
    assert.deepEqual(await rig.resolve('three.internal', network), ['10.208.3.10']);
    await engine.publishNames([]);
  },

  'refuses what is not a host name, and keeps what was published': async (stage) => {
    const { engine, rig } = stage;
    const network = (await stage.network()).name;
    await engine.publishNames([{ name: 'kept.internal', addresses: ['10.208.3.10'] }]);

    for (const name of ['a b', 'a\nb', '', '-a', 'A', 'a..b']) {
      await assert.rejects(engine.publishNames([{ name, addresses: ['10.208.3.10'] }]), EngineRefused);
    }

    assert.deepEqual(await rig.resolve('kept.internal', network), ['10.208.3.10']);
    await engine.publishNames([]);
  },
};
