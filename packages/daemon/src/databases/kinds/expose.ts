import { setDatabase } from '../../store/managed-database.ts';
import type { TaskKind } from '../../tasks/kind.ts';
import type { DatabaseBase } from '../base.ts';
import { databaseRow, isCurrent } from '../container.ts';
import { type DatabaseStep, type DatabaseWork, newContainer, type OfDatabase, published, ready } from '../steps.ts';

export interface Exposing extends OfDatabase {
  /** The machine's; null: none any more. */
  port: number | null;
  /** What it was before. */
  before: number | null;
}

/** On record with the task already, so that nobody else gets the port; what is done here is the way back. */
const port: DatabaseStep<Exposing> = {
  name: 'port',
  run: async (work) => setPort(work, work.input.port),
  async undo(work) {
    setPort(work, work.input.before);
    work.core.nudgeDatabases();
  },
};

function setPort({ core, input }: DatabaseWork<Exposing>, exposed: number | null): void {
  const tell = { change: 'changed', at: core.now() };
  core.store.tx((tx) => setDatabase(tx, input.database, { exposed_port: exposed }, tell));
}

/** One that is stopped gets its container when it is started. */
function steps({ core, input }: DatabaseWork<Exposing>): DatabaseStep<Exposing>[] {
  const isRunning = databaseRow(core, input.database).wanted === 'running';
  return isRunning ? [port, { ...newContainer, undo: backToBefore }, ready, published] : [port];
}

/** The port goes first, since what is undone last is the record of it, which the container is made by. */
async function backToBefore(work: DatabaseWork<Exposing>): Promise<void> {
  setPort(work, work.input.before);
  if (!isCurrent(databaseRow(work.core, work.input.database))) await newContainer.undo?.(work);
}

export const exposeKind: TaskKind<Exposing, DatabaseBase> = { kind: 'database.expose', steps };
export const unexposeKind: TaskKind<Exposing, DatabaseBase> = { kind: 'database.unexpose', steps };
