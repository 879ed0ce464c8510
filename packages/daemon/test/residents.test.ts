/** What goes wrong with whatever the instance runs: the same for databases and object stores. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { DatabaseCreate, StoreCreate } from '@davit/api';
import { IS_LONG } from '../../../test/support/tiers.ts';
import { residentsTask } from '../src/background/residents.ts';
import type { Core } from '../src/core/core.ts';
import {
  deleteDatabase,
  exposeDatabase,
  patchDatabase,
  startDatabase,
  stopDatabase,
} from '../src/core/database-change.ts';
import { createDatabase } from '../src/core/database-create.ts';
import { lookUp } from '../src/core/lookup.ts';
import { createStore, exposeStore, startStore, stopStore } from '../src/core/managed-store.ts';
import { deleteStore } from '../src/core/store-deletion.ts';
import { patchStore } from '../src/core/store-patch.ts';
import { DATABASE } from '../src/databases/resident.ts';
import { EngineRefused, EngineUnavailable } from '../src/engine/errors.ts';
import { STORE } from '../src/objects/managed/resident.ts';
import type { Resident, ResidentRow } from '../src/residents/resident.ts';
import { TaskWorld } from './support/task-world.ts';

/** Between the calls at which the engine goes away: odd, so that the answer is lost before and after the work by turns. */
const STRIDE = IS_LONG ? 1 : 5;
const PORT = 15_777;
const MEMORY = 64 * 1024 ** 2;

/** One kind, as who uses it asks for it. */
interface Asked<R extends ResidentRow> {
  kind: Resident<R>;
  create: (world: TaskWorld) => number | Promise<number>;
  stop: (world: TaskWorld, row: R) => number;
  start: (world: TaskWorld, row: R) => number;
  expose: (world: TaskWorld, row: R) => Promise<number>;
  limit: (world: TaskWorld, row: R) => Promise<unknown>;
  remove: (world: TaskWorld, row: R) => unknown;
}

const limits = { cpu: null, memory_bytes: MEMORY };

cases({
  kind: DATABASE,
  create: ({ core, ctx }) =>
    createDatabase(core, ctx, DatabaseCreate.parse({ project: 'shop', name: 'db', engine: 'mysql' })),
  stop: ({ core, ctx }, row) => stopDatabase(core, ctx, row),
  start: ({ core, ctx }, row) => startDatabase(core, ctx, row),
  expose: ({ core, ctx }, row) => exposeDatabase(core, ctx, row, { port: PORT }),
  limit: ({ core, ctx }, row) => patchDatabase(core, ctx, row, { limits }),
  remove: ({ core, ctx }, row) => deleteDatabase(core, ctx, row, row.name),
});

cases({
  kind: STORE,
  create: ({ core, ctx }) => {
    const place = { project: 'shop', environment: 'production' };
    return createStore(
      core,
      ctx,
      lookUp(core.store, ctx.actor, 'read', 'environment', place),
      StoreCreate.parse({ name: 'files' }),
    );
  },
  stop: ({ core, ctx }, row) => stopStore(core, ctx, row),
  start: ({ core, ctx }, row) => startStore(core, ctx, row),
  expose: ({ core, ctx }, row) => exposeStore(core, ctx, row, { port: PORT }),
  limit: ({ core, ctx }, row) => patchStore(core, ctx, row, { limits }, false),
  remove: ({ core, ctx }, row) => deleteStore(core, ctx, row, row.name),
});

function cases<R extends ResidentRow & { image: string; name: string }>(of: Asked<R>): void {
  const { kind } = of;
  const row = ({ core }: { core: Core }): R => kind.all(core.store)[0] ?? assert.fail('it is gone');
  const container = ({ engine }: TaskWorld) => engine.controls.containers()[0] ?? assert.fail('it has no container');
  const { signal } = new AbortController();

  async function made(): Promise<TaskWorld> {
    const world = await TaskWorld.make();
    const { status, error } = await world.ended(await of.create(world));
    assert.deepEqual([status, error], ['succeeded', null]);
    return world;
  }
  /** Null: the engine was away, and nothing is on record. */
  async function asks(world: TaskWorld): Promise<number | null> {
    try {
      return await of.create(world);
    } catch (error) {
      assert.ok(error instanceof EngineUnavailable, String(error));
      assert.deepEqual(kind.all(world.core.store), []);
      return null;
    }
  }
  const keeper = (world: TaskWorld) => residentsTask('kept', kind, world.core, world.ctx.log);

  describe(`a ${kind.noun}`, () => {
    test('that ends at each start says how it ended, also in the pauses between', async () => {
      await using world = await made();
      const { run } = keeper(world);
      world.engine.controls.kill(container(world).id, { exitCode: 1 });
      await world.engine.stop(container(world).id, { signal: 'SIGKILL', graceS: 0 });
      await run(signal);
      const starts = world.engine.controls.count('start');
      world.core.store.tx((tx) =>
        kind.change(tx, row(world).id, { seen: 'silent', reason: 'It runs and does not answer.' }),
      );
      world.engine.controls.kill(container(world).id, { exitCode: 3 });

      await run(signal);

      assert.equal(world.engine.controls.count('start'), starts, 'not at once');
      assert.deepEqual(
        [kind.seen(row(world)), row(world).reason],
        ['down', 'It ended with exit code 3, and is started again.'],
      );
    });

    test('that the engine starts over and over says so, and names its logs if it has any', async () => {
      await using world = await made();
      const { id } = container(world);
      for (let times = 0; times < 3; times++) world.engine.controls.kill(id, { exitCode: 1 });
      world.core.store.tx((tx) => kind.change(tx, row(world).id, { seen: 'unknown' }));

      await residentsTask('kept', { ...kind, problem: async () => '' }, world.core, world.ctx.log).run(signal);

      const hint = kind.noun === 'database' ? ': see its logs' : '';
      assert.equal(row(world).reason, `It runs and does not answer. The engine has started it over and over${hint}.`);
    });

    test('that ended for want of memory says so', async () => {
      await using world = await made();
      await world.engine.stop(container(world).id, { signal: 'SIGKILL', graceS: 0 });
      await world.engine.start(container(world).id);
      world.engine.controls.kill(container(world).id, { exitCode: 137, oomKilled: true });
      await keeper(world).run(signal);
      assert.match(row(world).reason ?? '', /exit code 137 because it took more memory than its limit/);
    });

    test('that the engine does not start says why, until it does', async () => {
      await using world = await made();
      await world.engine.stop(container(world).id, { signal: 'SIGKILL', graceS: 0 });
      world.engine.controls.fail('start', { error: new EngineRefused('start container: port is already allocated') });

      await keeper(world).run(signal);

      assert.deepEqual(
        [kind.seen(row(world)), row(world).reason],
        ['down', 'It cannot be started, and is tried again: start container: port is already allocated.'],
      );
      await world.reconcile();
      assert.deepEqual([kind.seen(row(world)), row(world).reason], ['ready', null]);
    });

    test('whose image is gone and cannot be pulled says so, and comes back with it', async () => {
      await using world = await made();
      await world.engine.remove(container(world).id);
      world.engine.controls.forgetImage(row(world).image);
      const error = new EngineRefused('pull image: the registry does not answer');
      world.engine.controls.fail('pullImage', { error });

      await keeper(world).run(signal);

      assert.match(row(world).reason ?? '', /cannot be started.*pull image: the registry does not answer\.$/);
      await world.reconcile();
      assert.equal(kind.seen(row(world)), 'ready');
    });

    test('whose image cannot be pulled is not made, and leaves nothing', async () => {
      await using world = await TaskWorld.make();
      const error = new EngineRefused('pull image: the registry does not answer');
      world.engine.controls.fail('pullImage', { error });
      const { status, error: told } = await world.ended(await of.create(world));
      assert.deepEqual([status, told], ['failed', 'pull image: the registry does not answer.']);
      assert.deepEqual([kind.all(world.core.store), await world.engine.volumes()], [[], []]);
    });

    test('is made when the engine goes away at any of its calls', async () => {
      for (let at = 1, isReached = true; isReached; at += STRIDE) {
        await using world = await TaskWorld.make();
        const before = world.engine.controls.calls.length;
        const error = new EngineUnavailable('the engine is being restarted');
        world.engine.controls.fail('*', { at, afterEffect: at % 2 === 0, error });
        const asked = await asks(world);
        // Who asks is told at once, and asks again.
        const { status, error: told } = await world.ended(asked ?? (await of.create(world)));
        isReached = world.engine.controls.calls.length - before >= at;
        assert.deepEqual([status, told, kind.seen(row(world))], ['succeeded', null, 'ready'], `call ${at}`);
        assert.equal(world.engine.controls.containers().length, 1, `call ${at}`);
      }
    });

    test('is not opened on a port that something else listens on', async () => {
      await using world = await made();
      const other = createServer().listen(PORT, '127.0.0.1');
      try {
        await new Promise((resolve) => other.once('listening', resolve));
        await assert.rejects(of.expose(world, row(world)), /Something on this machine listens on port 15777/);
      } finally {
        other.close();
      }
    });

    test('is as it was when its port is taken at the last moment, and the task says so', async () => {
      await using world = await made();
      const asked = of.expose(world, row(world));
      const error = new EngineRefused('start container: address already in use');
      world.engine.controls.fail('start', { error });
      const { status, error: told } = await world.ended(await asked);
      assert.deepEqual([status, told], ['failed', 'start container: address already in use.']);
      await world.reconcile();
      assert.deepEqual([kind.port(row(world)), kind.seen(row(world)), container(world).tcpPorts], [null, 'ready', []]);
    });

    test('gets limits that its engine does not take now when it is started the next time', async () => {
      await using world = await made();
      const error = new EngineRefused('update container: it uses more than that');
      world.engine.controls.fail('setLimits', { error });
      await assert.rejects(of.limit(world, row(world)), /Saved, but the limits act .*: update container: it uses more/);
      assert.equal(container(world).limits.memoryBytes, null);

      await world.ended(of.stop(world, row(world)));
      await world.ended(of.start(world, row(world)));

      assert.equal(container(world).limits.memoryBytes, MEMORY);
    });

    test('leaves no container when the engine was away while it was deleted', async () => {
      await using world = await made();
      world.engine.controls.setAvailable(false);
      await of.remove(world, row(world));
      await keeper(world).run(signal);
      assert.notEqual(row(world).container_id, null);
      world.engine.controls.setAvailable(true);
      await keeper(world).run(signal);
      assert.deepEqual([row(world).container_id, world.engine.controls.containers()], [null, []]);
    });
  });
}
