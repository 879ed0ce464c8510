/** Tests of the tasks that databases and object stores have in common, at each of their steps. */

import { freePort } from '@davit/testkit/ports';
import { networkName } from '../../src/adapters/engine/names.ts';
import { nameRecords } from '../../src/app-spec/names.ts';
import type { Core } from '../../src/composition/core.ts';
import type { ManagedService, ManagedServiceRow } from '../../src/managed-services/managed-service.ts';
import { DAVIT_ID } from './simulated-core.ts';
import { TaskHarness } from './task-harness.ts';
import { type TaskCase, taskMatrix } from './task-matrix.ts';

const PORT = await freePort();

type Act<R> = (world: TaskHarness, row: R) => number | Promise<number>;

/** Test parameters of one kind of managed service. */
export interface ManagedServiceCase<R extends ManagedServiceRow> {
  kind: ManagedService<R, Core>;
  /** Steps after a new service responds and before it is available to all users. */
  further: readonly string[];
  /** Such steps for a service that is restored from the trash. */
  furtherBack: readonly string[];
  create: (world: TaskHarness) => number | Promise<number>;
  start: Act<R>;
  stop: Act<R>;
  expose: (world: TaskHarness, row: R, input: { port: number }) => Promise<number>;
  unexpose: Act<R>;
  /** Moves the service to the trash. */
  remove: (world: TaskHarness, row: R) => unknown;
  restore: Act<R>;
}

/** Returns the only service of its kind in an environment. */
export function onlyOne<R extends ManagedServiceRow>(kind: ManagedService<R, Core>, { core }: TaskHarness): R {
  const [row] = kind.all(core.store);
  if (row === undefined) throw new Error(`there is no ${kind.noun}`);
  return row;
}

/** Returns functions that create environments with one service, and that capture their state. */
export function managedServiceHarnesses<R extends ManagedServiceRow>({
  kind,
  create,
}: Pick<ManagedServiceCase<R>, 'kind' | 'create'>) {
  async function made(): Promise<TaskHarness> {
    const harness = await TaskHarness.make();
    await harness.ended(await create(harness));
    return harness;
  }

  async function then(act: Act<R>): Promise<TaskHarness> {
    const harness = await made();
    await harness.ended(await act(harness, onlyOne(kind, harness)));
    return harness;
  }

  /** Returns the records of the services without values that differ between runs, and their objects at the engine. */
  async function snapshot(harness: TaskHarness): Promise<object> {
    const rows = kind.all(harness.core.store).map((row) => ({
      ...{
        name: kind.reference(row),
        wanted: row.wanted,
        state: row.state,
        seen: kind.seen(row),
        port: kind.port(row),
      },
      ...{ address: row.address, reason: row.reason, isTrashed: row.deleted_at !== null },
    }));
    const published = nameRecords(harness.core).map(({ name, addresses }) => ({ name, addresses }));
    const resolved = published.map(({ name }) => harness.engine.controls.resolve(name));
    const ports = harness.engine.controls.containers().map(({ tcpPorts }) => tcpPorts);
    return { rows, published, resolved, ports, ...(await harness.atEngine()) };
  }

  return { made, then, snapshot };
}

/** Declares the cases of one kind. */
export function managedServiceMatrix<R extends ManagedServiceRow>(of: ManagedServiceCase<R>): void {
  const { kind } = of;
  const { noun, subject } = kind;
  const { made, then, snapshot } = managedServiceHarnesses(of);
  const act = (what: Act<R>) => (harness: TaskHarness) => what(harness, onlyOne(kind, harness));
  const opened: Act<R> = (harness, row) => of.expose(harness, row, { port: PORT });
  const matrix = (title: string, verb: string, rest: Omit<TaskCase, 'kind' | 'snapshot'>) =>
    taskMatrix(title, { kind: `${subject}.${verb}`, snapshot, ...rest });

  matrix(`making the ${noun}`, 'create', {
    steps: ['image', 'volume', 'container', 'ready', ...of.further, 'publish'],
    // The network of the environment exists from the first service on.
    prepare: async () => {
      const harness = await TaskHarness.make();
      await harness.engine.ensureNetwork(networkName(DAVIT_ID, 1));
      return harness;
    },
    ask: of.create,
  });

  matrix(`stopping the ${noun}`, 'stop', { steps: ['record', 'stop'], prepare: made, ask: act(of.stop) });

  matrix(`starting the ${noun} that is stopped`, 'start', {
    steps: ['record', 'container', 'ready', 'publish'],
    prepare: () => then(of.stop),
    ask: act(of.start),
  });

  matrix(`opening the ${noun} to the world`, 'expose', {
    steps: ['port', 'container', 'ready', 'publish'],
    prepare: made,
    ask: act(opened),
  });

  matrix(`closing the ${noun} to the world`, 'unexpose', {
    steps: ['port', 'container', 'ready', 'publish'],
    prepare: () => then(opened),
    ask: act(of.unexpose),
  });

  matrix(`opening the ${noun} that is stopped`, 'expose', {
    steps: ['port'],
    prepare: () => then(of.stop),
    ask: act(opened),
  });

  matrix(`bringing the ${noun} back from the trash`, 'restore', {
    steps: ['container', 'ready', ...of.furtherBack, 'publish'],
    prepare: async () => {
      const harness = await made();
      await of.remove(harness, onlyOne(kind, harness));
      // The container of a service in the trash has been removed before the restore.
      await harness.reconcile();
      return harness;
    },
    ask: act(of.restore),
  });
}
