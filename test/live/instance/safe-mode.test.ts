/** Safe mode with real containers: apps answer all requests while the database is damaged and repaired. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { damagePage } from '../../../packages/daemon/test/support/damages.ts';
import { requestSteadily } from '../../support/ask-steadily.ts';
import { DavitFolder } from '../../support/davit-command.ts';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

describe('an instance with a damaged database', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;
  let app: LiveApp;
  let folder: DavitFolder;

  before(async () => {
    harness = await LiveHarness.create();
    app = await harness.deployedApp();
    folder = await DavitFolder.make(harness.instance);
  });
  after(async () => {
    await folder?.[Symbol.asyncDispose]();
    await harness?.[Symbol.asyncDispose]();
  });

  const database = () => join(harness.instance.dataDir, 'davit.db');
  const davit = (...args: string[]) => folder.run(args, { DAVIT_DATA_DIR: harness.instance.dataDir });

  /** Kills the daemon, changes the database file, and starts the daemon in safe mode. */
  async function startDamaged(change: () => void | Promise<void>): Promise<ChildProcess> {
    await harness.instance.kill();
    {
      using db = new DatabaseSync(database());
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
    await change();
    const child = harness.instance.spawn();
    await reported(child, 'safe mode');
    return child;
  }

  const appAnswers = ({ status }: { status: number }) => status === 200;

  test('saves the readable rows and starts with them, without a failed request to apps', async () => {
    const load = requestSteadily(app, appAnswers);
    const child = await startDamaged(() => damagePage('tasks', (bytes) => bytes.fill(0))(harness.instance.dataDir));
    const ready = reported(child, 'ready');

    const api = await fetch(`${harness.instance.url}/api/apps`);
    const verified = await davit('instance', 'verify');
    const saved = await davit('instance', 'export', 'rescued.db', '--json');
    const restored = await davit('instance', 'restore-state', 'rescued.db', '--yes');
    await ready;

    assert.equal(api.status, 503);
    assert.equal(verified.code, 1, verified.stderr);
    assert.deepEqual(
      JSON.parse(saved.stdout).lost.map(({ table }: { table: string }) => table),
      ['tasks'],
    );
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal((await app.deploy('v2')).status, 'succeeded');
    const { sent, wrong } = await load.stop();
    assert.deepEqual([sent > 0, wrong], [true, []]);
  });

  test('starts with a copy if no row can be read', inLong, async () => {
    const copy = join(folder.path, 'copy.db');
    await harness.instance.stop();
    await cp(database(), copy);
    await harness.instance.start();
    const load = requestSteadily(app, appAnswers);
    const child = await startDamaged(() =>
      damagePage('sqlite_schema', (bytes) => bytes.fill(0))(harness.instance.dataDir),
    );
    const ready = reported(child, 'ready');

    const saved = await davit('instance', 'export', 'nothing.db');
    const restored = await davit('instance', 'restore-state', copy, '--yes');
    await ready;

    assert.equal(saved.code, 6, saved.stderr);
    assert.equal(restored.code, 0, restored.stderr);
    assert.deepEqual((await load.stop()).wrong, []);
  });
});

/** Resolves when the daemon sends a message of this kind. Rejects if the daemon ends first. */
function reported(child: ChildProcess, kind: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onMessage = (message: { kind: string }) => {
    if (message.kind === kind) resolve();
  };
  const onEnd = (code: number | null) => reject(new Error(`the daemon ended with exit code ${code}`));
  child.on('message', onMessage).once('exit', onEnd);
  return promise.finally(() => child.off('message', onMessage).off('exit', onEnd));
}
