/** Failures of managed services, the same tests for databases and object stores. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { DatabaseCreate, ObjectStoreCreate } from '@davit/api';
import { IS_LONG } from '../../../../test/support/tiers.ts';
import { EngineRefused, EngineUnavailable } from '../../src/adapters/engine/errors.ts';
import { lookUp } from '../../src/authorization/lookup.ts';
import type { Core } from '../../src/composition/core.ts';
import type { ManagedService, ManagedServiceRow } from '../../src/managed-services/managed-service.ts';
import { useOf } from '../../src/quotas/quota.ts';
import { managedServicesTask } from '../../src/reconcilers/managed-services.ts';
import {
  deleteDatabase,
  exposeDatabase,
  patchDatabase,
  startDatabase,
  stopDatabase,
} from '../../src/resources/databases/change.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { DATABASE } from '../../src/resources/databases/managed-service.ts';
import { deleteObjectStore } from '../../src/resources/object-stores/deletion.ts';
import { STORE } from '../../src/resources/object-stores/managed/managed-service.ts';
import {
  createObjectStore,
  exposeObjectStore,
  startObjectStore,
  stopObjectStore,
} from '../../src/resources/object-stores/managed-store.ts';
import { patchObjectStore } from '../../src/resources/object-stores/patch.ts';
import { isHeld } from '../support/held.ts';
import { TaskWorld } from '../support/task-world.ts';

/**
 * Number of engine calls between two outages. The number is odd, so that the response is lost before and after the work
 * in turn.
 */
const STRIDE = IS_LONG ? 1 : 5;
const PORT = 15_777;
const MEMORY = 64 * 1024 ** 2;

/** Test parameters of one kind of managed service. */
interface Asked<R extends ManagedServiceRow> {
  kind: ManagedService<R, Core>;
  create: (world: TaskWorld) => number | Promise<number>;
  stop: (world: TaskWorld, row: R) => number;
  start: (world: TaskWorld, row: R) => number;
  expose: (world: TaskWorld, row: R) => Promise<number>;
  limit: (world: TaskWorld, row: R, memory?: number) => Promise<unknown>;
  remove: (world: TaskWorld, row: R) => unknown;
}

const limits = (memory_bytes = MEMORY) => ({ cpu: null, memory_bytes });

cases({
  kind: DATABASE,
  create: ({ core, ctx }) =>
    createDatabase(core, ctx, DatabaseCreate.parse({ project: 'shop', name: 'db', engine: 'mysql' })),
  stop: ({ core, ctx }, row) => stopDatabase(core, ctx, row),
  start: ({ core, ctx }, row) => startDatabase(core, ctx, row),
  expose: ({ core, ctx }, row) => exposeDatabase(core, ctx, row, { port: PORT }),
  limit: ({ core, ctx }, row, memory) => patchDatabase(core, ctx, row, { limits: limits(memory) }),
  remove: ({ core, ctx }, row) => deleteDatabase(core, ctx, row, row.name),
});

cases({
  kind: STORE,
  create: ({ core, ctx }) => {
    const place = { project: 'shop', environment: 'production' };
    return createObjectStore(
      core,
      ctx,
      lookUp(core.store, ctx.actor, 'read', 'environment', place),
      ObjectStoreCreate.parse({ name: 'files' }),
    );
  },
  stop: ({ core, ctx }, row) => stopObjectStore(core, ctx, row),
  start: ({ core, ctx }, row) => startObjectStore(core, ctx, row),
  expose: ({ core, ctx }, row) => exposeObjectStore(core, ctx, row, { port: PORT }),
  limit: ({ core, ctx }, row, memory) => patchObjectStore(core, ctx, row, { limits: limits(memory) }, false),
  remove: ({ core, ctx }, row) => deleteObjectStore(core, ctx, row, row.name),
});

function cases<R extends ManagedServiceRow & { image: string; name: string }>(of: Asked<R>): void {
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
  /** Requests the creation. Returns null if the engine was unavailable and nothing was recorded. */
  async function asks(world: TaskWorld): Promise<number | null> {
    try {
      return await of.create(world);
    } catch (error) {
      assert.ok(error instanceof EngineUnavailable, String(error));
      assert.deepEqual(kind.all(world.core.store), []);
      return null;
    }
  }
  const counted = ({ core }: TaskWorld) => useOf(core.store, 1).memory_bytes;
  const keeper = (world: TaskWorld) => managedServicesTask('kept', kind, world.core, world.ctx.log);

  describe(`a managed ${kind.noun}`, () => {
    test('reports the exit code of its container while a restart is delayed', async () => {
      await using world = await made();
      const { run } = keeper(world);
      world.engine.controls.kill(container(world).id, { exitCode: 1 });
      await world.engine.stop(container(world).id, { signal: 'SIGKILL', graceS: 0 });
      await run(signal);
      const starts = world.engine.controls.count('start');
      world.core.store.tx((tx) =>
        kind.change(tx, row(world).id, {
          seen: 'silent',
          reason: 'The container is running, but the server in it does not respond.',
        }),
      );
      world.engine.controls.kill(container(world).id, { exitCode: 3 });

      await run(signal);

      assert.equal(world.engine.controls.count('start'), starts, 'not at once');
      assert.deepEqual(
        [kind.seen(row(world)), row(world).reason],
        ['down', 'The container exited with code 3. Davit restarts it.'],
      );
    });

    test('resumes after its container was paused, or stops if a stop was requested', async () => {
      await using world = await made();
      const { id } = container(world);
      const { run } = keeper(world);
      world.engine.controls.freeze(id);

      await run(signal);

      assert.deepEqual([container(world).id, container(world).state], [id, 'running']);
      await world.ended(of.stop(world, row(world)));
      await world.engine.start(id);
      world.engine.controls.freeze(id);
      await run(signal);
      assert.equal(container(world).state, 'exited');
    });

    test('reports repeated restarts by Docker, and points to container logs if available', async () => {
      await using world = await made();
      const { id } = container(world);
      for (let times = 0; times < 3; times++) world.engine.controls.kill(id, { exitCode: 1 });
      world.core.store.tx((tx) => kind.change(tx, row(world).id, { seen: 'unknown' }));

      await managedServicesTask('kept', { ...kind, problem: async () => '' }, world.core, world.ctx.log).run(signal);

      const hint = kind.noun === 'database' ? ' Check the logs of the container.' : '';
      assert.equal(
        row(world).reason,
        `The container is running, but the server in it does not respond. Docker has restarted the container several times.${hint}`,
      );
    });

    test('reports an exit that was caused by the memory limit', async () => {
      await using world = await made();
      await world.engine.stop(container(world).id, { signal: 'SIGKILL', graceS: 0 });
      await world.engine.start(container(world).id);
      world.engine.controls.kill(container(world).id, { exitCode: 137, oomKilled: true });
      await keeper(world).run(signal);
      assert.match(row(world).reason ?? '', /with code 137 because the container used more memory than its limit/);
    });

    test('reports why Docker cannot start the container until a start succeeds', async () => {
      await using world = await made();
      await world.engine.stop(container(world).id, { signal: 'SIGKILL', graceS: 0 });
      const error = new EngineRefused('start container: port is already allocated');
      world.engine.controls.fail('start', { times: 2, error });

      await keeper(world).run(signal);

      assert.deepEqual(
        [kind.seen(row(world)), row(world).reason],
        ['down', 'The container could not be started; Davit tries again. start container: port is already allocated.'],
      );
      await world.reconcile();
      assert.deepEqual([kind.seen(row(world)), row(world).reason], ['ready', null]);
    });

    test('gets a new container with the same volumes if Docker refuses a start', async () => {
      await using world = await made();
      const { id, volumes } = container(world);
      await world.engine.stop(id, { signal: 'SIGKILL', graceS: 0 });
      world.engine.controls.fail('start', { error: new EngineRefused('start container: network not found') });

      await keeper(world).run(signal);

      assert.notEqual(container(world).id, id);
      assert.deepEqual(container(world).volumes, volumes);
      assert.equal(kind.seen(row(world)), 'ready');
    });

    test('keeps only its current container when a removed container reappears after a power loss', async () => {
      await using world = await made();
      const { id } = container(world);
      const restore = world.engine.controls.loseRemoval(id);
      await world.engine.remove(id);
      await keeper(world).run(signal);
      const current = container(world).id;
      restore();
      assert.equal(world.engine.controls.containers().length, 2);

      await keeper(world).run(signal);

      assert.deepEqual(
        world.engine.controls.containers().map((one) => one.id),
        [current],
      );
    });

    test('reports a missing image that cannot be pulled, and recovers after a successful pull', async () => {
      await using world = await made();
      await world.engine.remove(container(world).id);
      world.engine.controls.forgetImage(row(world).image);
      const error = new EngineRefused('pull image: the registry does not answer');
      world.engine.controls.fail('pullImage', { error });

      await keeper(world).run(signal);

      assert.match(
        row(world).reason ?? '',
        /could not be started; .*Docker could not pull \S+\. Find the reason in the log of the instance\.$/,
      );
      await world.reconcile();
      assert.equal(kind.seen(row(world)), 'ready');
    });

    test('is not created if its image cannot be pulled, and leaves no volume', async () => {
      await using world = await TaskWorld.make();
      const error = new EngineRefused('pull image: the registry does not answer');
      world.engine.controls.fail('pullImage', { error });
      const { status, error: told, error_code } = await world.ended(await of.create(world));
      assert.deepEqual([status, error_code], ['failed', 'image_pull_failed']);
      assert.doesNotMatch(told ?? '', /the registry does not answer/, 'the words of the engine are for the log');
      assert.deepEqual([kind.all(world.core.store), await world.engine.volumes()], [[], []]);
    });

    test('is created even if the engine becomes unavailable during an engine call', async () => {
      for (let at = 1, isReached = true; isReached; at += STRIDE) {
        await using world = await TaskWorld.make();
        const before = world.engine.controls.calls.length;
        const error = new EngineUnavailable('the engine is being restarted');
        world.engine.controls.fail('*', { at, afterEffect: at % 2 === 0, error });
        const asked = await asks(world);
        // The caller gets the error at once and repeats the request.
        const { status, error: told } = await world.ended(asked ?? (await of.create(world)));
        isReached = world.engine.controls.calls.length - before >= at;
        assert.deepEqual([status, told, kind.seen(row(world))], ['succeeded', null, 'ready'], `call ${at}`);
        assert.equal(world.engine.controls.containers().length, 1, `call ${at}`);
      }
    });

    test('is not exposed on a port that another program uses', async () => {
      await using world = await made();
      const other = createServer().listen(PORT, '127.0.0.1');
      try {
        await new Promise((resolve) => other.once('listening', resolve));
        await assert.rejects(of.expose(world, row(world)), /Another program on this server uses port 15777/);
      } finally {
        other.close();
      }
    });

    test('stays unexposed if Docker cannot bind the port, and the task reports the error', async () => {
      await using world = await made();
      const asked = of.expose(world, row(world));
      const error = new EngineRefused('start container: address already in use');
      world.engine.controls.fail('start', { error });
      const { status, error: told } = await world.ended(await asked);
      assert.deepEqual([status, told], ['failed', 'start container: address already in use.']);
      await world.reconcile();
      assert.deepEqual([kind.port(row(world)), kind.seen(row(world)), container(world).tcpPorts], [null, 'ready', []]);
    });

    test('gets limits at the next start if Docker refuses to update the running container', async () => {
      await using world = await made();
      const error = new EngineRefused('update container: it uses more than that');
      world.engine.controls.fail('setLimits', { error });
      await assert.rejects(
        of.limit(world, row(world)),
        /are saved, but Docker did not accept them now.*\. update container: it uses more/,
      );
      assert.equal(container(world).limits.memoryBytes, null);

      await world.ended(of.stop(world, row(world)));
      await world.ended(of.start(world, row(world)));

      assert.equal(container(world).limits.memoryBytes, MEMORY);
    });

    test('gets refused limits in the same container once Docker accepts the limits', async () => {
      await using world = await made();
      await of.limit(world, row(world), 4 * MEMORY);
      const { id } = container(world);
      const { run } = keeper(world);
      const error = new EngineRefused('update container: it uses more than that');
      world.engine.controls.fail('setLimits', { error, times: 2 });
      await assert.rejects(
        of.limit(world, row(world)),
        /are saved, but Docker did not accept them now\. .*earlier if Docker accepts them/,
      );
      await run(signal);
      assert.deepEqual([container(world).limits.memoryBytes, counted(world)], [4 * MEMORY, 4 * MEMORY]);
      const asked = world.engine.controls.count('setLimits');
      await run(signal);
      assert.equal(world.engine.controls.count('setLimits'), asked, 'not at once');

      await world.reconcile();

      assert.deepEqual([container(world).id, container(world).limits.memoryBytes], [id, MEMORY]);
      assert.equal(counted(world), MEMORY);
      await world.reconcile();
      assert.equal(world.engine.controls.count('setLimits'), asked + 1, 'once is enough');
    });

    test('has the last limits after concurrent changes, and the larger limits count meanwhile', async () => {
      await using world = await made();
      await of.limit(world, row(world), 2 * MEMORY);
      const gate = world.engine.controls.pause('setLimits');
      const larger = of.limit(world, row(world), 9 * MEMORY);
      await gate.reached;
      const smaller = of.limit(world, row(world));
      assert.equal(await isHeld(smaller), true, 'one change at a time');
      assert.equal(counted(world), 9 * MEMORY);
      gate.open();
      await Promise.all([larger, smaller]);

      assert.deepEqual([container(world).limits.memoryBytes, row(world).memory_bytes], [MEMORY, MEMORY]);
      assert.equal(counted(world), MEMORY);
    });

    test('gets limits that changed during the creation of its container', async () => {
      await using world = await made();
      await of.limit(world, row(world), 4 * MEMORY);
      const gate = world.engine.controls.pause('createGroup');
      const exposed = of.expose(world, row(world));
      await gate.reached;
      await of.limit(world, row(world));
      assert.equal(counted(world), 4 * MEMORY);
      gate.open();
      assert.equal((await world.ended(await exposed)).error, null);
      assert.equal(container(world).limits.memoryBytes, 4 * MEMORY);
      assert.equal(counted(world), 4 * MEMORY);

      await world.reconcile();

      assert.deepEqual([container(world).limits.memoryBytes, counted(world)], [MEMORY, MEMORY]);
    });

    test('has the recorded limits even if the response to the container creation is lost', async () => {
      await using world = await made();
      const gate = world.engine.controls.pause('createGroup');
      world.engine.controls.fail('createGroup', { afterEffect: true, error: new EngineUnavailable('It went away.') });
      const exposed = of.expose(world, row(world));
      await gate.reached;
      await of.limit(world, row(world), 4 * MEMORY);
      gate.open();

      assert.equal((await world.ended(await exposed)).error, null);

      assert.deepEqual([container(world).limits.memoryBytes, counted(world)], [4 * MEMORY, 4 * MEMORY]);
    });

    test('leaves no container if the engine was unavailable during the deletion', async () => {
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
