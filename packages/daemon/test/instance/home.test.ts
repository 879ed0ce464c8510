/** An instance belongs to one data directory and one engine. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { Engine } from '../../src/adapters/engine/engine.ts';
import { EngineUnavailable } from '../../src/adapters/engine/errors.ts';
import { createMemoryEngine } from '../../src/adapters/engine/memory/memory.ts';
import { bindHome, bindHomeLater } from '../../src/composition/home.ts';
import { openState } from '../../src/composition/state.ts';
import { unchecked } from '../../src/db/select.ts';
import { lastDeploymentNumber, unrecordedImages } from '../../src/db/tables/unrecorded-image.ts';

describe('the binding of an instance to its data directory and engine', () => {
  let folder: string;
  let first: string;
  let id: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'davit-home-'));
    first = join(folder, 'first');
    const state = openState(configOf(first));
    ({ id } = state);
    state[Symbol.dispose]();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const configOf = (dataDir: string) => ({ dataDir, masterKeyFile: join(dataDir, 'master.key') });
  /**
   * The engine claims to be real, because only instances with a real engine are bound. The engine is otherwise
   * simulated.
   */
  const engineOf = (name: string) => {
    const engine = createMemoryEngine({ davitId: id });
    const info = async () => ({ ...(await engine.info()), id: name });
    const capabilities = { ...engine.capabilities, simulated: false };
    return Object.assign(Object.create(engine) as Engine & typeof engine, { info, capabilities });
  };
  const bind = async (engine: Engine, dataDir: string, adopt: string | null = null) => {
    using state = openState(configOf(dataDir));
    return await bindHome({ config: { dataDir, adopt }, state, engine });
  };
  const refusal = async (engine: Engine, dataDir: string): Promise<string> => {
    const error = await bind(engine, dataDir).catch((thrown: Error) => thrown);
    assert.ok(error instanceof Error && error.name === 'NotAtHome', `${error}`);
    return error.message;
  };
  const codeIn = (message: string) => /--adopt ([0-9a-f]{8})/.exec(message)?.[1] ?? assert.fail(message);
  const copyTo = (name: string, from = first) => {
    cpSync(from, join(folder, name), { recursive: true });
    return join(folder, name);
  };

  it('reserves the numbers of lost deployments whose images are found on the engine', async () => {
    const engine = engineOf('one');
    const tag = `davit-${id}/shop/production/web:12`;
    engine.inspectHeld = async () => [{ tag, imageId: 'sha256:1', sizeBytes: 1 }];
    assert.equal(await bind(engine, first), true);
    using state = openState(configOf(first));
    assert.equal(lastDeploymentNumber(state.store), 12);
    assert.deepEqual(
      unrecordedImages(state.store).map((row) => row.tag),
      [tag],
    );
  });

  it('accepts the same directory after a rename, a restore or a pruned volume', async () => {
    const engine = engineOf('one');
    for (const _ of [1, 2]) assert.equal(await bind(engine, first), true);
    const [home] = await engine.volumes();
    await engine.removeVolume(home?.name ?? '');
    assert.equal(await bind(engine, first), true);
    assert.deepEqual(
      (await engine.volumes()).map(({ name }) => name),
      [home?.name],
    );

    const backup = copyTo('backup');
    rmSync(first, { recursive: true });
    cpSync(backup, first, { recursive: true });
    assert.equal(await bind(engine, first), true);
    renameSync(first, join(folder, 'renamed'));
    assert.equal(await bind(engine, join(folder, 'renamed')), true);
  });

  it('refuses a directory replaced by its copy, and a copy beside the renamed directory', async () => {
    const engine = engineOf('one');
    await bind(engine, first);
    const backup = copyTo('backup');
    const aside = join(folder, 'aside');
    renameSync(first, aside);
    cpSync(backup, first, { recursive: true });
    assert.equal(await bind(engine, first), true);
    assert.match(await refusal(engine, aside), /now belong to a data directory other than/);

    const again = copyTo('again');
    const renamed = join(folder, 'renamed');
    renameSync(first, renamed);
    assert.equal(await bind(engine, renamed), true);
    cpSync(again, first, { recursive: true });
    assert.match(await refusal(engine, first), /now belong to a data directory other than/);
  });

  it('succeeds after a crash during an earlier binding or move', async () => {
    const engine = engineOf('one');
    engine.controls.fail('ensureVolume');
    await assert.rejects(bind(engine, first));
    assert.equal(await bind(engine, first), true);

    const renamed = join(folder, 'renamed');
    renameSync(first, renamed);
    for (const call of ['ensureVolume', 'removeVolume'] as const) {
      engine.controls.fail(call);
      await assert.rejects(bind(engine, renamed));
    }
    assert.equal(await bind(engine, renamed), true);
    assert.equal((await engine.volumes()).length, 1);
  });

  it('refuses a copy until the copy adopts the instance, and then refuses the original', async () => {
    const engine = engineOf('one');
    await bind(engine, first);
    const copy = copyTo('copy');
    const third = copyTo('third');

    const code = codeIn(await refusal(engine, copy));
    await assert.rejects(bind(engine, third, code), { name: 'NotAtHome' });
    assert.equal(await bind(engine, copy, code), true);
    assert.equal(await bind(engine, copy, code), true);

    assert.match(await refusal(engine, first), /now belong to a data directory other than/);
    await assert.rejects(bind(engine, first, code), { name: 'NotAtHome' });
    assert.equal((await engine.volumes()).length, 1);
  });

  it('refuses the second of two directories copied before the first binding', async () => {
    const engine = engineOf('one');
    const copy = copyTo('copy');
    await bind(engine, first);
    assert.match(await refusal(engine, copy), /now belong to a data directory other than/);
  });

  it('refuses another engine but accepts the same engine with a new ID', async () => {
    const one = engineOf('one');
    await bind(one, first);

    assert.match(await refusal(engineOf('other'), first), /are in another Docker Engine/);
    one.info = async () => ({ ...(await engineOf('x').info()), id: 'installed anew' });
    assert.equal(await bind(one, first), true);
    assert.equal(await bind(one, first), true);
  });

  it('reserves the numbers of volumes and databases found on the engine', async () => {
    const engine = engineOf('one');
    await engine.ensureVolume(`davit-${id}-v41`, 'shop/production/web');
    await engine.ensureVolume(`davit-${id}-db7`, 'shop/production/main', 'database');
    await bind(engine, first);

    using state = openState(configOf(first));
    const next = (table: string) => state.store.get(unchecked('SELECT seq FROM sqlite_sequence WHERE name = ?'), table);
    assert.deepEqual([next('volumes'), next('databases')], [{ seq: 41 }, { seq: 7 }]);
  });

  it('refuses a copy while the engine is unavailable, and leaves the original unbound', async () => {
    const engine = engineOf('one');
    await bind(engine, first);
    const copy = copyTo('copy');
    engine.controls.setAvailable(false);

    assert.match(await refusal(engine, copy), /start Docker and then Davit/);
    assert.equal(await bind(engine, first), false);
  });

  describe('with an engine unavailable at the start', () => {
    /**
     * Starts without the engine.
     * @returns the binding, which waits for the engine
     */
    const startAway = async (engine: ReturnType<typeof engineOf>, signal = new AbortController().signal) => {
      engine.controls.setAvailable(false);
      assert.equal(await bind(engine, first), false);
      const state = openState(configOf(first));
      const parts = { config: { dataDir: first, adopt: null }, state, engine };
      return { bound: bindHomeLater(parts, signal).finally(() => state[Symbol.dispose]()) };
    };

    it('binds the instance after the engine returns', async () => {
      const engine = engineOf('one');
      const { bound } = await startAway(engine);
      engine.controls.setAvailable(true);
      await bound;

      assert.equal((await engine.volumes()).length, 1);
      assert.match(await refusal(engine, copyTo('copy')), /is a copy/);
    });

    it('binds at the next return of an engine that fails during the binding', async () => {
      const engine = engineOf('one');
      const { bound } = await startAway(engine);
      const fails = mock.method(engine, 'ensureVolume', async () => {
        engine.controls.setAvailable(false);
        setImmediate(() => engine.controls.setAvailable(true));
        fails.mock.restore();
        throw new EngineUnavailable('The engine went away.');
      });
      engine.controls.setAvailable(true);
      await bound;

      assert.equal((await engine.volumes()).length, 1);
      assert.equal(await bind(engine, first), true);
    });

    it('refuses a directory adopted elsewhere meanwhile, and another engine', async () => {
      for (const name of ['one', 'other']) {
        const engine = engineOf(name);
        await bind(engineOf('one'), first);
        if (name === 'one') await engine.ensureVolume(`davit-${id}-home-0123456789abcdef`, 'home');
        const { bound } = await startAway(engine);
        engine.controls.setAvailable(true);
        await assert.rejects(bound, { name: 'NotAtHome' }, name);
      }
    });

    it('does not bind an instance that stops before the engine returns', async () => {
      const engine = engineOf('one');
      const stopping = new AbortController();
      const { bound } = await startAway(engine, stopping.signal);
      stopping.abort(new Error('stopping'));
      await bound.catch((error: unknown) => assert.equal(error, stopping.signal.reason));
      engine.controls.setAvailable(true);

      assert.deepEqual(await engine.volumes(), []);
    });
  });
});
