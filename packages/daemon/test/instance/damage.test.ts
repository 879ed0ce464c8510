/**
 * A damaged data directory: the start fails with a message, or the check finds the damage. Damaged data is never served
 * as intact data.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createLogger } from '@davit/service';
import { bootDaemon } from '@davit/testkit';
import { openState, type State } from '../../src/composition/state.ts';
import { DAMAGED, StoreDamaged } from '../../src/db/damage.ts';
import { readSetting, writeSetting } from '../../src/db/tables/settings.ts';
import { databaseCheckTask } from '../../src/reconcilers/database-check.ts';
import type { Task } from '../../src/reconcilers/reconciler.ts';
import { DAMAGES, damagePage, pad } from '../support/damages.ts';

/** Pattern for messages of SQLite or the system, which do not tell users what to do. */
const OF_OTHERS =
  /file is not a database|malformed|disk image|unable to open|no such|already exists|E[A-Z]{4,}|SQLITE_/;
const OURS = ['DatabaseUnusable', 'DataDirUnusable', 'LockUnusable', 'MasterKeyUnusable', 'StoreDamaged'];

const configOf = (dataDir: string) => ({ dataDir, masterKeyFile: join(dataDir, 'master.key') });
const log = createLogger({ level: 'error', destination: { write: () => undefined } });

function checkOf({ store }: State, dataDir: string, running: () => number): Task {
  const facts = { dataDir } as Parameters<typeof databaseCheckTask>[0]['facts'];
  return databaseCheckTask({ store, facts, running }, log);
}

/** Runs the database check immediately. It is otherwise due within ten minutes after a start. */
async function check(state: State, dataDir: string): Promise<void> {
  let running = 0;
  const task = checkOf(state, dataDir, () => running);
  const wait = await task.run(new AbortController().signal);
  assert.ok(wait !== undefined && wait <= 600_000, `${wait}`);
  running = wait;
  await task.run(new AbortController().signal);
}

describe('a damaged data directory', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'davit-damage-'));
    const dataDir = join(folder, 'whole');
    openState(configOf(dataDir))[Symbol.dispose]();
    pad(dataDir);
    // State after a killed process: all changes are only in the write-ahead log.
    const state = openState(configOf(dataDir));
    for (const value of ['1', '2', '3', '4']) state.store.tx((tx) => writeSetting(tx, 'probe', value));
    cpSync(dataDir, join(folder, 'killed'), { recursive: true });
    state[Symbol.dispose]();
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is detected by the daily check after an intact first check', async () => {
    const dataDir = join(folder, 'later');
    cpSync(join(folder, 'whole'), dataDir, { recursive: true });
    using state = openState(configOf(dataDir));
    let running = 0;
    const task = checkOf(state, dataDir, () => running);
    running = 600_000;
    const { signal } = new AbortController();
    assert.equal(task.everyMs, 24 * 60 * 60_000);
    assert.equal(await task.run(signal), undefined);
    assert.equal(state.store.isDamaged, false);

    DAMAGES.find(({ outcome, killed }) => outcome === 'found' && !killed)?.make(dataDir);
    await task.run(signal);

    assert.equal(state.store.isDamaged, true);
  });

  for (const [n, { name, outcome, killed = false, make }] of DAMAGES.entries())
    it(`with ${name} is ${outcome}`, async () => {
      const dataDir = join(folder, String(n));
      cpSync(join(folder, killed ? 'killed' : 'whole'), dataDir, { recursive: true });
      make(dataDir);

      if (outcome === 'refused') {
        demandRefused(dataDir);
        return;
      }
      const state = openState(configOf(dataDir));
      try {
        await check(state, dataDir);
        assert.equal(state.store.isDamaged, outcome === 'found');
        const write = () => state.store.tx((tx) => writeSetting(tx, 'probe', '5'));
        if (outcome === 'found') assert.throws(write, StoreDamaged);
        else {
          assert.match(readSetting(state.store, 'probe') ?? '', /^[34]$/);
          write();
        }
      } finally {
        state[Symbol.dispose]();
      }
      if (outcome === 'found') demandRefused(dataDir);
      else openState(configOf(dataDir))[Symbol.dispose]();
    });

  it('opens and accepts writes again after an intact copy is restored', async () => {
    const dataDir = join(folder, 'restored');
    cpSync(join(folder, 'whole'), dataDir, { recursive: true });
    DAMAGES.find(({ name }) => name === 'zeros instead of the root page of a table')?.make(dataDir);
    {
      using state = openState(configOf(dataDir));
      await check(state, dataDir);
      assert.ok(state.store.isDamaged);
    }
    cpSync(join(folder, 'whole', 'davit.db'), join(dataDir, 'davit.db'));

    for (const _ of [1, 2]) {
      using state = openState(configOf(dataDir));
      state.store.tx((tx) => writeSetting(tx, 'probe', 'again'));
    }
  });

  function demandRefused(dataDir: string): void {
    assert.throws(
      () => openState(configOf(dataDir)),
      (error: Error) => {
        assert.ok(OURS.includes(error.name), `${error.name}: ${error.message}`);
        assert.doesNotMatch(error.message.replaceAll(dataDir, ''), OF_OTHERS);
        assert.match(error.message, /put|restore|move|choose|check|start|free/i);
        return true;
      },
    );
  }
});

describe('an instance with a damaged database', () => {
  it('reports the damage, refuses changes and keeps the containers unchanged', async () => {
    await using daemon = await bootDaemon();
    await daemon.client.createProject({ body: { slug: 'shop' } });
    const { dataDir } = daemon;
    await daemon.stop();
    // The start does not read this table.
    damagePage('template_installs', (bytes) => bytes.fill(0))(dataDir);
    await daemon.start();
    const before = daemon.engine.controls.containers();

    const read = await daemon.call('GET', '/api/template-installs');
    const write = await daemon.call('POST', '/api/projects', { slug: 'other' });
    const instance = await daemon.call('GET', '/api/instance');
    const ready = await daemon.send({ method: 'GET', path: '/readyz' });

    for (const { status, text } of [read, write, ready])
      assert.deepEqual([status, text.includes(DAMAGED)], [503, true], text);
    assert.deepEqual([instance.status, JSON.parse(instance.text).warnings], [200, [DAMAGED]]);
    assert.deepEqual(daemon.engine.controls.containers(), before);
    await daemon.stop();
    await assert.rejects(daemon.start(), { name: 'DatabaseUnusable', problem: 'damaged' });
  });
});
