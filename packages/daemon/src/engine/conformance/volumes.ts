import assert from 'node:assert/strict';
import { EngineRefused } from '../errors.ts';
import { namePrefix } from '../names.ts';
import type { Stage } from './rig.ts';

export const volumePromises: Record<string, (stage: Stage) => Promise<void>> = {
  'makes a volume once, however often it is asked, and says whose it is': async ({ engine, rig }) => {
    const name = volumeName(rig.davitId, 1);

    await engine.ensureVolume(name, 'team/production/shop');
    await engine.ensureVolume(name, 'team/production/other');

    const [volume, ...others] = await engine.volumes();
    assert.deepEqual(others, []);
    assert.deepEqual([volume?.name, volume?.app], [name, 'team/production/shop']);
    assert.ok((volume?.createdAt?.getTime() ?? 0) > 0);
    await engine.removeVolume(name);
  },

  'removes a volume, and one that is gone already': async ({ engine, rig }) => {
    const name = volumeName(rig.davitId, 2);
    await engine.ensureVolume(name, 'team/production/shop');

    await engine.removeVolume(name);
    await engine.removeVolume(name);

    assert.deepEqual(await engine.volumes(), []);
  },

  'keeps a volume that a container uses, running or not, and after it': async (stage) => {
    const { engine, rig } = stage;
    const name = volumeName(rig.davitId, 3);
    await engine.ensureVolume(name, 'team/production/shop');
    const id = await stage.running('web', { volumes: [{ name, path: '/data' }] });

    await assert.rejects(engine.removeVolume(name), EngineRefused);
    await engine.stop(id, { signal: 'SIGTERM', graceS: 5 });
    await assert.rejects(engine.removeVolume(name), EngineRefused);
    await engine.remove(id);
    assert.equal((await engine.volumes()).length, 1);
    await engine.removeVolume(name);

    assert.deepEqual(await engine.volumes(), []);
  },

  'refuses to make or to remove a volume under a name that is not ours': async ({ engine }) => {
    await assert.rejects(engine.ensureVolume('davit-somebody-v1', 'shop'), EngineRefused);
    await assert.rejects(engine.removeVolume('davit-somebody-v1'), EngineRefused);
  },

  'says what a volume holds, or that it cannot say': async ({ engine, rig }) => {
    const name = volumeName(rig.davitId, 4);
    await engine.ensureVolume(name, 'team/production/shop');

    const bytes = await engine.volumeSize(name);

    assert.ok(bytes === null || bytes >= 0);
    assert.equal(await engine.volumeSize(volumeName(rig.davitId, 404)), null);
    await engine.removeVolume(name);
  },

  'says how full its disk is, where that can be seen': async ({ engine }) => {
    const disk = await engine.disk();

    assert.ok(disk === null || (disk.totalBytes >= disk.freeBytes && disk.freeBytes >= 0 && disk.path !== ''));
  },
};

function volumeName(davitId: string, n: number): string {
  return `${namePrefix(davitId)}v${n}`;
}
