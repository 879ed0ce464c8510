import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import type { GroupFile } from '../../src/adapters/engine/group.ts';
import type { Stage } from './rig.ts';
import { soon } from './rig.ts';

const FILE: GroupFile = {
  path: '/etc/shop/deep/settings.ini',
  bytes: Buffer.from([0, 1, 255, ...Buffer.from('päth = /data\n')]),
  mode: 0o400,
  uid: 65534,
  gid: 65534,
};

export const filePromises: Record<string, (stage: Stage) => Promise<void>> = {
  'provides files to a container unchanged and keeps the files after a restart': async (stage) => {
    const id = await stage.running('web', { files: [FILE] });

    assert.deepEqual(await read(stage, id, FILE.path), Buffer.from(FILE.bytes));
    await stage.engine.stop(id, { signal: 'SIGKILL', graceS: 0 });
    await stage.engine.start(id);
    assert.deepEqual(await read(stage, id, FILE.path), Buffer.from(FILE.bytes));
  },

  'lets the owner of a file read the file in the container': async (stage) => {
    const id = await stage.running('web', { files: [FILE] });

    const { stdout, exited } = await stage.engine.execute(
      id,
      { command: ['cat', FILE.path], user: '65534' },
      { signal: soon() },
    );

    assert.equal((await text(stdout)).length, Buffer.from(FILE.bytes).toString().length);
    assert.equal((await exited).exitCode, 0);
  },

  'writes the files again when adopting a container that was never started': async (stage) => {
    const group = await stage.group({ files: [{ ...FILE, bytes: Buffer.from('half') }] });
    const [id = ''] = await stage.engine.createGroup(group);

    assert.deepEqual(await stage.engine.createGroup({ ...group, files: [FILE] }), [id]);

    await stage.engine.start(id);
    assert.deepEqual(await read(stage, id, FILE.path), Buffer.from(FILE.bytes));
  },

  'refuses files with a relative, non-normalized or directory path and creates no container': async (stage) => {
    for (const path of ['etc/shop', '/etc/../shop', '/etc//shop', '/etc/', '/', '']) {
      const group = await stage.group({ files: [{ ...FILE, path }] });
      await assert.rejects(stage.engine.createGroup(group), EngineRefused, path);
    }
    assert.deepEqual(await stage.engine.observe(), []);
  },
};

async function read(stage: Stage, id: string, path: string): Promise<Buffer> {
  const { stdout, exited } = await stage.engine.execute(id, { command: ['cat', path] }, { signal: soon() });
  const bytes = Buffer.concat(await Array.fromAsync(stdout));
  assert.equal((await exited).exitCode, 0);
  return bytes;
}
