/** Checks of an instance whose daemon does not respond. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { lockDataDir } from '@davit/service';
import { openState } from '../../src/composition/state.ts';
import { makeConfig } from '../../src/config/config.ts';
import { writeSetting } from '../../src/db/tables/settings.ts';
import { checkFromOutside } from '../../src/offline/outside-checks.ts';

function stoppedInstance() {
  const dataDir = mkdtempSync(join(tmpdir(), 'davit-outside-'));
  const config = makeConfig({ dataDir, listen: '127.0.0.1:1' }, { isRoot: false, xdgDataHome: undefined });
  const state = openState(config);
  state.store.tx((tx) => writeSetting(tx, 'engine', 'memory'));
  state[Symbol.dispose]();
  return config;
}

async function statesOf(config: ReturnType<typeof stoppedInstance>) {
  const checks = await checkFromOutside(config);
  return Object.fromEntries(checks.map(({ name, state }) => [name, state]));
}

describe('the checks from outside', () => {
  test('report a stopped daemon, and the parts without a problem', async () => {
    const config = stoppedInstance();

    const states = await statesOf(config);

    assert.deepEqual(
      { ...states, disk: 'any' },
      { daemon: 'problem', state_database: 'ok', engine: 'ok', disk: 'any' },
    );
  });

  test('name the process of a daemon that does not respond', async () => {
    const config = stoppedInstance();
    using _lock = lockDataDir(config.dataDir, 'Davit');

    const [daemon] = await checkFromOutside(config);

    assert.match(daemon?.message ?? '', new RegExp(`process ${process.pid}\\b`));
  });

  test('report a damaged database and a lost master key', async () => {
    const config = stoppedInstance();
    writeFileSync(join(config.dataDir, 'davit.db'), 'damaged'.repeat(1_000));
    rmSync(config.masterKeyFile);

    const checks = await checkFromOutside({ ...config, engine: 'memory' });

    const database = checks.filter(({ name }) => name === 'state_database');
    assert.deepEqual(
      database.map(({ state }) => state),
      ['problem', 'problem'],
    );
  });

  test('say that a folder contains no instance', async () => {
    const config = { ...stoppedInstance(), dataDir: mkdtempSync(join(tmpdir(), 'davit-outside-')) };

    const checks = await checkFromOutside(config);

    assert.deepEqual(
      checks.map(({ name, state }) => [name, state]),
      [['daemon', 'problem']],
    );
  });
});
