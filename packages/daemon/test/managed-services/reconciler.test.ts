/** Failures of managed services, the same tests for databases and object stores. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { DatabaseCreate, ObjectStoreCreate } from '@davit/api';
import { IS_LONG } from '../../../../test/support/tiers.ts';
import { EngineProblem } from '../../src/adapters/engine/engine-problem.ts';
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
import { TaskHarness } from '../support/task-harness.ts';

/**
 * Number of engine calls between two outages. The number is odd, so that the response is lost before and after the work
 * in turn.
 */
const STRIDE = IS_LONG ? 1 : 5;
const PORT = 15_777;
const MEMORY = 64 * 1024 ** 2;

/** Test parameters of one kind of managed service. */
interface ServiceCase<R extends ManagedServiceRow> {
  kind: ManagedService<R, Core>;
  create: (world: TaskHarness) => number | Promise<number>;
  stop: (world: TaskHarness, row: R) => number;
  start: (world: TaskHarness, row: R) => number;
  expose: (world: TaskHarness, row: R) => Promise<number>;
  limit: (world: TaskHarness, row: R, memory?: number) => Promise<unknown>;
  remove: (world: TaskHarness, row: R) => unknown;
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
    const environment = { project: 'shop', environment: 'production' };
    return createObjectStore(
      core,
      ctx,
      lookUp(core.store, ctx.actor, 'read', 'environment', environment),
      ObjectStoreCreate.parse({ name: 'files' }),
    );
  },
  stop: ({ core, ctx }, row) => stopObjectStore(core, ctx, row),
  start: ({ core, ctx }, row) => startObjectStore(core, ctx, row),
  expose: ({ core, ctx }, row) => exposeObjectStore(core, ctx, row, { port: PORT }),
  limit: ({ core, ctx }, row, memory) => patchObjectStore(core, ctx, row, { limits: limits(memory) }, false),
  remove: ({ core, ctx }, row) => deleteObjectStore(core, ctx, row, row.name),
});

function cases<R extends ManagedServiceRow & { image: string; name: string }>(of: ServiceCase<R>): void {
  const { kind } = of;
  const row = ({ core }: { core: Core }): R => kind.all(core.store)[0] ?? assert.fail('it is gone');
  const container = ({ engine }: TaskHarness) => engine.controls.containers()[0] ?? assert.fail('it has no container');
  const { signal } = new AbortController();

  async function made(): Promise<TaskHarness> {
    const harness = await TaskHarness.make();
    const { status, error } = await harness.ended(await of.create(harness));
    assert.deepEqual([status, error], ['succeeded', null]);
    return harness;
  }
  /** Requests the creation. Returns null if the engine was unavailable and nothing was recorded. */
  async function requestCreation(harness: TaskHarness): Promise<number | null> {
    try {
      return await of.create(harness);
    } catch (error) {
      assert.ok(error instanceof EngineUnavailable, String(error));
      assert.deepEqual(kind.all(harness.core.store), []);
      return null;
    }
  }
  const counted = ({ core }: TaskHarness) => useOf(core.store, 1).memory_bytes;
  const reconciler = (harness: TaskHarness) => managedServicesTask('kept', kind, harness.core, harness.ctx.log);

  describe(`a managed ${kind.noun}`, () => {
    test('reports the exit code of its container while a restart is delayed', async () => {
      await using harness = await made();
      const { run } = reconciler(harness);
      harness.engine.controls.kill(container(harness).id, { exitCode: 1 });
      await harness.engine.stop(container(harness).id, { signal: 'SIGKILL', graceS: 0 });
      await run(signal);
      const starts = harness.engine.controls.count('start');
      harness.core.store.tx((tx) =>
        kind.change(tx, row(harness).id, {
          seen: 'silent',
          reason: 'The container is running, but the server in it does not respond.',
        }),
      );
      harness.engine.controls.kill(container(harness).id, { exitCode: 3 });

      await run(signal);

      assert.equal(harness.engine.controls.count('start'), starts, 'not at once');
      assert.deepEqual(
        [kind.seen(row(harness)), row(harness).reason],
        ['down', 'The container exited with code 3. Davit restarts it.'],
      );
    });

    test('resumes after its container was paused, or stops if a stop was requested', async () => {
      await using harness = await made();
      const { id } = container(harness);
      const { run } = reconciler(harness);
      harness.engine.controls.freeze(id);

      await run(signal);

      assert.deepEqual([container(harness).id, container(harness).state], [id, 'running']);
      await harness.ended(of.stop(harness, row(harness)));
      await harness.engine.start(id);
      harness.engine.controls.freeze(id);
      await run(signal);
      assert.equal(container(harness).state, 'exited');
    });

    test('reports repeated restarts by Docker, and points to container logs if available', async () => {
      await using harness = await made();
      const { id } = container(harness);
      for (let times = 0; times < 3; times++) harness.engine.controls.kill(id, { exitCode: 1 });
      harness.core.store.tx((tx) => kind.change(tx, row(harness).id, { seen: 'unknown' }));

      await managedServicesTask('kept', { ...kind, problem: async () => '' }, harness.core, harness.ctx.log).run(
        signal,
      );

      const hint = kind.noun === 'database' ? ' Check the logs of the container.' : '';
      assert.equal(
        row(harness).reason,
        `The container is running, but the server in it does not respond. Docker has restarted the container several times.${hint}`,
      );
    });

    test('reports an exit that was caused by the memory limit', async () => {
      await using harness = await made();
      await harness.engine.stop(container(harness).id, { signal: 'SIGKILL', graceS: 0 });
      await harness.engine.start(container(harness).id);
      harness.engine.controls.kill(container(harness).id, { exitCode: 137, oomKilled: true });
      await reconciler(harness).run(signal);
      assert.match(row(harness).reason ?? '', /with code 137 because the container used more memory than its limit/);
    });

    test('reports why Docker cannot start the container until a start succeeds', async () => {
      await using harness = await made();
      await harness.engine.stop(container(harness).id, { signal: 'SIGKILL', graceS: 0 });
      const error = new EngineRefused('start container: port is already allocated');
      harness.engine.controls.fail('start', { times: 2, error });

      await reconciler(harness).run(signal);

      assert.deepEqual(
        [kind.seen(row(harness)), row(harness).reason],
        ['down', 'The container could not be started; Davit tries again. start container: port is already allocated.'],
      );
      await harness.reconcile();
      assert.deepEqual([kind.seen(row(harness)), row(harness).reason], ['ready', null]);
    });

    test('gets a new container with the same volumes if Docker refuses a start', async () => {
      await using harness = await made();
      const { id, volumes } = container(harness);
      await harness.engine.stop(id, { signal: 'SIGKILL', graceS: 0 });
      harness.engine.controls.fail('start', { error: new EngineRefused('start container: network not found') });

      await reconciler(harness).run(signal);

      assert.notEqual(container(harness).id, id);
      assert.deepEqual(container(harness).volumes, volumes);
      assert.equal(kind.seen(row(harness)), 'ready');
    });

    test('keeps only its current container when a removed container reappears after a power loss', async () => {
      await using harness = await made();
      const { id } = container(harness);
      const restore = harness.engine.controls.loseRemoval(id);
      await harness.engine.remove(id);
      await reconciler(harness).run(signal);
      const current = container(harness).id;
      restore();
      assert.equal(harness.engine.controls.containers().length, 2);

      await reconciler(harness).run(signal);

      assert.deepEqual(
        harness.engine.controls.containers().map((one) => one.id),
        [current],
      );
    });

    test('reports a missing image that cannot be pulled, and recovers after a successful pull', async () => {
      await using harness = await made();
      await harness.engine.remove(container(harness).id);
      harness.engine.controls.forgetImage(row(harness).image);
      const error = new EngineRefused('pull image: the registry does not answer');
      harness.engine.controls.fail('pullImage', { error });

      await reconciler(harness).run(signal);

      assert.match(
        row(harness).reason ?? '',
        /could not be started; .*Docker could not pull \S+\. Find the reason in the log of the instance\.$/,
      );
      await harness.reconcile();
      assert.equal(kind.seen(row(harness)), 'ready');
    });

    test('is not created if its image cannot be pulled, and leaves no volume', async () => {
      await using harness = await TaskHarness.make();
      const error = new EngineRefused('pull image: the registry does not answer');
      harness.engine.controls.fail('pullImage', { error });
      const { status, error: taskError, error_code } = await harness.ended(await of.create(harness));
      assert.deepEqual([status, error_code], ['failed', 'image_pull_failed']);
      assert.doesNotMatch(taskError ?? '', /the registry does not answer/, 'the words of the engine are for the log');
      assert.deepEqual([kind.all(harness.core.store), await harness.engine.volumes()], [[], []]);
    });

    test('is created even if the engine becomes unavailable during an engine call', async () => {
      for (let at = 1, isReached = true; isReached; at += STRIDE) {
        await using harness = await TaskHarness.make();
        const before = harness.engine.controls.calls.length;
        const error = new EngineUnavailable('the engine is being restarted');
        harness.engine.controls.fail('*', { at, afterEffect: at % 2 === 0, error });
        const requested = await requestCreation(harness);
        // The caller gets the error immediately and repeats the request.
        const { status, error: taskError } = await harness.ended(requested ?? (await of.create(harness)));
        isReached = harness.engine.controls.calls.length - before >= at;
        assert.deepEqual([status, taskError, kind.seen(row(harness))], ['succeeded', null, 'ready'], `call ${at}`);
        assert.equal(harness.engine.controls.containers().length, 1, `call ${at}`);
      }
    });

    test('is not exposed on a port that another program uses', async () => {
      await using harness = await made();
      const other = createServer().listen(PORT, '127.0.0.1');
      try {
        await new Promise((resolve) => other.once('listening', resolve));
        await assert.rejects(of.expose(harness, row(harness)), /Another program on this server uses port 15777/);
      } finally {
        other.close();
      }
    });

    test('stays unexposed if Docker cannot bind the port, and the task reports the error', async () => {
      await using harness = await made();
      const pending = of.expose(harness, row(harness));
      const error = new EngineRefused('start container: address already in use');
      harness.engine.controls.fail('start', { error });
      const { status, error: taskError } = await harness.ended(await pending);
      assert.deepEqual([status, taskError], ['failed', 'start container: address already in use.']);
      await harness.reconcile();
      assert.deepEqual(
        [kind.port(row(harness)), kind.seen(row(harness)), container(harness).tcpPorts],
        [null, 'ready', []],
      );
    });

    test('gets limits at the next start if Docker refuses to update the running container', async () => {
      await using harness = await made();
      const error = new EngineRefused('update container: it uses more than that');
      harness.engine.controls.fail('setLimits', { error });
      await assert.rejects(
        of.limit(harness, row(harness)),
        /are saved, but Docker did not accept them now.*\. update container: it uses more/,
      );
      assert.equal(container(harness).limits.memoryBytes, null);

      await harness.ended(of.stop(harness, row(harness)));
      await harness.ended(of.start(harness, row(harness)));

      assert.equal(container(harness).limits.memoryBytes, MEMORY);
    });

    test('says when a limit takes effect if the server uses more memory than the new limit', async () => {
      await using harness = await made();
      const error = new EngineProblem('memory_in_use', 'update container', 'device or resource busy');
      harness.engine.controls.fail('setLimits', { error });

      await assert.rejects(
        of.limit(harness, row(harness)),
        /are saved, but it uses more memory than its new limit\. They take effect at its next/,
      );
    });

    test('gets refused limits in the same container once Docker accepts the limits', async () => {
      await using harness = await made();
      await of.limit(harness, row(harness), 4 * MEMORY);
      const { id } = container(harness);
      const { run } = reconciler(harness);
      const error = new EngineRefused('update container: it uses more than that');
      harness.engine.controls.fail('setLimits', { error, times: 2 });
      await assert.rejects(
        of.limit(harness, row(harness)),
        /are saved, but Docker did not accept them now\. .*earlier if Docker accepts them/,
      );
      await run(signal);
      assert.deepEqual([container(harness).limits.memoryBytes, counted(harness)], [4 * MEMORY, 4 * MEMORY]);
      const limitCalls = harness.engine.controls.count('setLimits');
      await run(signal);
      assert.equal(harness.engine.controls.count('setLimits'), limitCalls, 'not at once');

      await harness.reconcile();

      assert.deepEqual([container(harness).id, container(harness).limits.memoryBytes], [id, MEMORY]);
      assert.equal(counted(harness), MEMORY);
      await harness.reconcile();
      assert.equal(harness.engine.controls.count('setLimits'), limitCalls + 1, 'once is enough');
    });

    test('has the last limits after concurrent changes, and the larger limits count meanwhile', async () => {
      await using harness = await made();
      await of.limit(harness, row(harness), 2 * MEMORY);
      const gate = harness.engine.controls.pause('setLimits');
      const larger = of.limit(harness, row(harness), 9 * MEMORY);
      await gate.reached;
      const smaller = of.limit(harness, row(harness));
      assert.equal(await isHeld(smaller), true, 'one change at a time');
      assert.equal(counted(harness), 9 * MEMORY);
      gate.open();
      await Promise.all([larger, smaller]);

      assert.deepEqual([container(harness).limits.memoryBytes, row(harness).memory_bytes], [MEMORY, MEMORY]);
      assert.equal(counted(harness), MEMORY);
    });

    test('gets limits that changed during the creation of its container', async () => {
      await using harness = await made();
      await of.limit(harness, row(harness), 4 * MEMORY);
      const gate = harness.engine.controls.pause('createGroup');
      const exposed = of.expose(harness, row(harness));
      await gate.reached;
      await of.limit(harness, row(harness));
      assert.equal(counted(harness), 4 * MEMORY);
      gate.open();
      assert.equal((await harness.ended(await exposed)).error, null);
      assert.equal(container(harness).limits.memoryBytes, 4 * MEMORY);
      assert.equal(counted(harness), 4 * MEMORY);

      await harness.reconcile();

      assert.deepEqual([container(harness).limits.memoryBytes, counted(harness)], [MEMORY, MEMORY]);
    });

    test('has the recorded limits even if the response to the container creation is lost', async () => {
      await using harness = await made();
      const gate = harness.engine.controls.pause('createGroup');
      harness.engine.controls.fail('createGroup', { afterEffect: true, error: new EngineUnavailable('It went away.') });
      const exposed = of.expose(harness, row(harness));
      await gate.reached;
      await of.limit(harness, row(harness), 4 * MEMORY);
      gate.open();

      assert.equal((await harness.ended(await exposed)).error, null);

      assert.deepEqual([container(harness).limits.memoryBytes, counted(harness)], [4 * MEMORY, 4 * MEMORY]);
    });

    test('leaves no container if the engine was unavailable during the deletion', async () => {
      await using harness = await made();
      harness.engine.controls.setAvailable(false);
      await of.remove(harness, row(harness));
      await reconciler(harness).run(signal);
      assert.notEqual(row(harness).container_id, null);
      harness.engine.controls.setAvailable(true);
      await reconciler(harness).run(signal);
      assert.deepEqual([row(harness).container_id, harness.engine.controls.containers()], [null, []]);
    });
  });
}
