/** Removal of an instance that simulates Docker. The file test/live/instance/uninstall.test.ts removes Docker objects. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createMemoryEngine } from '../../src/adapters/engine/memory/memory.ts';
import { bindHome } from '../../src/composition/home.ts';
import { openState } from '../../src/composition/state.ts';
import { makeConfig } from '../../src/config/config.ts';
import { writeSetting } from '../../src/db/tables/settings.ts';
import type { ActionEvent } from '../../src/offline/action.ts';
import { runAction } from '../../src/offline/actions.ts';

async function stoppedInstance(): Promise<{ dataDir: string; id: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'davit-uninstall-'));
  const config = makeConfig({ dataDir }, { isRoot: false, xdgDataHome: undefined });
  using state = openState(config);
  state.store.tx((tx) => writeSetting(tx, 'engine', 'memory'));
  const engine = createMemoryEngine({ davitId: state.id });
  // Only instances with a real engine are bound to their data directory.
  const capabilities = { ...engine.capabilities, simulated: false };
  await bindHome({ config, state, engine: Object.assign(Object.create(engine) as typeof engine, { capabilities }) });
  return { dataDir, id: state.id };
}

async function uninstall(dataDir: string, ...flags: string[]) {
  const lines: string[] = [];
  const code = await runAction('uninstall', ['--data-dir', dataDir, ...flags, '--json'], {
    write: (line) => void lines.push(line),
    input: async () => '',
  });
  const events = lines.map((line) => JSON.parse(line) as ActionEvent);
  const { exit } = (events.find(({ kind }) => kind === 'error')?.data ?? {}) as { exit?: string };
  return { code, events, exit };
}

describe('the removal of an instance', () => {
  test('needs its id, and keeps the data directory by default', async () => {
    const { dataDir, id } = await stoppedInstance();

    assert.equal((await uninstall(dataDir)).exit, 'usage');
    assert.equal((await uninstall(dataDir, '--delete-data', '--confirm', 'zzzzzzzz')).exit, 'usage');
    assert.equal((await uninstall(dataDir, '--confirm', id)).code, 0);

    assert.ok(readdirSync(dataDir).includes('master.key'));
  });

  test('deletes the data directory if the data is to be deleted too', async () => {
    const { dataDir, id } = await stoppedInstance();

    const dryRun = await uninstall(dataDir, '--delete-data', '--dry-run');
    const { code } = await uninstall(dataDir, '--delete-data', `--confirm=${id}`);

    assert.ok(dryRun.events[0]?.lines.some((line) => line.endsWith(join(dataDir, 'davit.db'))));
    assert.equal(code, 0);
    assert.equal(existsSync(dataDir), false);
    assert.equal((await uninstall(dataDir, '--confirm', id)).exit, 'not_found');
  });

  test('is refused for a copy of a data directory, because the objects belong to the original', async () => {
    const { dataDir, id } = await stoppedInstance();
    const copy = join(mkdtempSync(join(tmpdir(), 'davit-uninstall-')), 'copy');
    cpSync(dataDir, copy, { recursive: true });

    const { exit } = await uninstall(copy, '--delete-data', '--confirm', id);

    assert.equal(exit, 'conflict');
    assert.ok(existsSync(join(copy, 'master.key')));
  });

  test('reports unknown flags and actions', async () => {
    const { dataDir } = await stoppedInstance();

    assert.equal((await uninstall(dataDir, '--everything')).code, 2);
    assert.equal(await runAction('remove', [], { write: () => undefined, input: async () => '' }), 2);
  });
});
