import assert from 'node:assert/strict';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import type { Group } from '../../src/adapters/engine/group.ts';
import { namePrefix } from '../../src/adapters/engine/names.ts';
import type { Stage } from './rig.ts';
import { soon } from './rig.ts';

/** Containers of databases and object stores, in addition to replicas of apps. */
export const kindPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'reports a database container with its kind, owner and no deployment': async (stage) => {
    const group = await database(stage);

    await stage.engine.createGroup(group);

    const [seen] = await stage.engine.observe();
    assert.deepEqual([seen?.kind, seen?.app, seen?.deployment], ['database', 'acme/production/orders', null]);
  },

  'adopts a database container by name and owner and refuses a different owner': async (stage) => {
    const group = await database(stage);
    const ids = await stage.engine.createGroup(group);

    assert.deepEqual(await stage.engine.createGroup(group), ids);

    const strangers = [{ app: 'acme/production/other' }, { kind: 'store' as const }, { deployment: 3 }];
    for (const change of strangers) {
      await assert.rejects(stage.engine.createGroup({ ...group, ...change }), EngineRefused);
    }
  },

  'returns log lines and resource usage of database containers': async (stage) => {
    const imageId = (await stage.image('crash')).id;
    const [crashing = ''] = await stage.engine.createGroup({ ...(await database(stage)), imageId });
    await stage.engine.start(crashing);
    await stage.engine.waitExit(crashing, soon());
    const [id = ''] = await stage.engine.createGroup(await database(stage));
    await stage.engine.start(id);

    assert.ok((await stage.engine.lastLines(crashing, 10)).some(({ line }) => line === 'starting'));
    const query = { after: null, follow: false, signal: soon() };
    const batches = await Array.fromAsync(stage.engine.logBatches(crashing, query));
    assert.equal(
      batches.reduce((sum, { count }) => sum + count, 0),
      2,
    );
    assert.deepEqual([...(await stage.engine.usage([id])).keys()], [id]);
  },

  'reports the owner and owner type of each volume': async ({ engine, rig }) => {
    const names = [5, 6].map((n) => `${namePrefix(rig.davitId)}v${n}`);

    await engine.ensureVolume(names[0] ?? '', 'acme/production/orders', 'database');
    await engine.ensureVolume(names[1] ?? '', 'acme/production/shop');

    const seen = (await engine.volumes()).map(({ app, owner }) => [app, owner]);
    assert.deepEqual(seen, [
      ['acme/production/orders', 'database'],
      ['acme/production/shop', 'app'],
    ]);
    for (const name of names) await engine.removeVolume(name);
  },
};

async function database(stage: Stage): Promise<Group> {
  return { ...(await stage.group()), kind: 'database', app: 'acme/production/orders', deployment: null };
}
