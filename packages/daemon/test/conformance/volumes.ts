import assert from 'node:assert/strict';
import { until } from '@davit/testkit/waiting';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { namePrefix } from '../../src/adapters/engine/names.ts';
import { type Stage, soon } from './rig.ts';

export const volumePromises: Record<string, (stage: Stage) => Promise<void>> = {
  'creates a volume once for repeated calls and reports its first owner': async ({ engine, rig }) => {
    const name = volumeName(rig.davitId, 1);

    await engine.ensureVolume(name, 'team/production/shop');
    await engine.ensureVolume(name, 'team/production/other');

    const [volume, ...others] = await engine.volumes();
    assert.deepEqual(others, []);
    assert.deepEqual([volume?.name, volume?.app], [name, 'team/production/shop']);
    assert.ok((volume?.createdAt?.getTime() ?? 0) > 0);
    await engine.removeVolume(name);
  },

  'removes a volume and accepts removal of a missing volume': async ({ engine, rig }) => {
    const name = volumeName(rig.davitId, 2);
    await engine.ensureVolume(name, 'team/production/shop');

    await engine.removeVolume(name);
    await engine.removeVolume(name);

    assert.deepEqual(await engine.volumes(), []);
  },

  'refuses to remove a volume that a running or stopped container uses': async (stage) => {
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

  'refuses to create or remove a volume outside this Davit instance’s namespace': async ({ engine }) => {
    await assert.rejects(engine.ensureVolume('davit-somebody-v1', 'shop'), EngineRefused);
    await assert.rejects(engine.removeVolume('davit-somebody-v1'), EngineRefused);
  },

  'returns a volume’s size if measurable, and null for a missing volume': async ({ engine, rig }) => {
    const name = volumeName(rig.davitId, 4);
    await engine.ensureVolume(name, 'team/production/shop');

    const bytes = await engine.volumeSize(name);

    assert.ok(bytes === null || bytes >= 0);
    assert.equal(await engine.volumeSize(volumeName(rig.davitId, 404)), null);
    await engine.removeVolume(name);
  },

  'reports storage use of images, containers and volumes if a measurement is available': async (stage) => {
    const { engine, rig } = stage;
    const name = volumeName(rig.davitId, 5);
    await engine.ensureVolume(name, 'team/production/shop');
    const image = await stage.image('web');
    const tag = `davit-${rig.davitId}/team/production/shop:5`;
    await engine.holdImage(image.id, tag);
    await stage.running('web');

    const use = await engine.storageUse(soon());

    if (use !== null) {
      assert.ok((use.volumes.get(name) ?? -1) >= 0);
      assert.ok((use.images.get(image.id) ?? []).reduce((sum, { bytes }) => sum + bytes, 0) > 0);
      assert.ok(use.containers.some(({ app, bytes }) => app === 'acme/production/shop' && bytes >= 0));
    }
    await stage.clear();
    await engine.releaseImage(tag);
    await engine.removeVolume(name);
  },

  'counts a container’s anonymous volume as its storage until the container is removed': async (stage) => {
    const { engine, rig } = stage;
    const counted = async () => {
      const { containers } = (await engine.storageUse(soon())) ?? { containers: null };
      return containers?.filter(({ app }) => app === 'acme/production/shop').map(({ bytes }) => bytes) ?? null;
    };
    const id = await stage.running('volume');

    await until('the volume is counted', async () => ((await counted())?.[0] ?? 0) >= rig.images.volumeBytes);
    await engine.remove(id);

    await until('it is counted no more', async () => (await counted())?.length === 0);
  },

  'reports total and free disk space if the engine can determine them': async ({ engine }) => {
    const disk = await engine.disk();

    assert.ok(disk === null || (disk.totalBytes >= disk.freeBytes && disk.freeBytes >= 0 && disk.path !== ''));
  },
};

function volumeName(davitId: string, n: number): string {
  return `${namePrefix(davitId)}v${n}`;
}
