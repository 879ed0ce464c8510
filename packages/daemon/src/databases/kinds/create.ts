import { nameRecords } from '../../release/names.ts';
import { databaseById, databaseReference, forgetDatabase, setDatabase } from '../../store/managed-database.ts';
import type { TaskKind } from '../../tasks/kind.ts';
import type { DatabaseBase } from '../base.ts';
import { bringUp, databaseRow, takeDown } from '../container.ts';
import { ensureImage } from '../image.ts';
import { type DatabaseStep, type OfDatabase, published, ready, setUp } from '../steps.ts';

/** Its first generation. */
const FIRST = 1;

const image: DatabaseStep = {
  name: 'image',
  run: ({ core, input }, signal) => ensureImage(core, input.database, signal),
};

const volume: DatabaseStep = {
  name: 'volume',
  run({ core, input }) {
    const row = databaseRow(core, input.database);
    return core.engine.ensureVolume(row.volume, databaseReference(row), 'database');
  },
  // Nobody had anything in it: only the making of a database is undone like this.
  async undo({ core, input }) {
    const row = databaseById(core.store, input.database);
    if (row?.state === 'making') await core.engine.removeVolume(row.volume);
  },
};

const container: DatabaseStep = {
  name: 'container',
  run: ({ core, input }, signal) => bringUp(core, input.database, FIRST, signal),
  async undo({ core, input }) {
    const row = databaseById(core.store, input.database);
    if (row === undefined) return;
    await takeDown(core, row);
    core.store.tx((tx) => setDatabase(tx, row.id, { address: null }));
  },
};

/** With the way back: what is not made any more has no name, and its volume goes. */
const firstPublished: DatabaseStep = {
  ...published,
  async undo({ core, input }) {
    core.store.tx((tx) => setDatabase(tx, input.database, { state: 'making' }));
    await core.engine.publishNames(nameRecords(core));
  },
};

export const createKind: TaskKind<OfDatabase, DatabaseBase> = {
  kind: 'database.create',
  steps: () => [image, volume, container, ready, setUp, firstPublished],
  ended(tx, { core, input }, { status, clean }) {
    const row = databaseById(tx, input.database);
    if (status === 'succeeded' || row === undefined) return;
    if (clean) return forgetDatabase(tx, row.id);
    // The reconciler removes what is left, and then the record.
    setDatabase(tx, row.id, { state: 'failed' }, { change: 'status' });
    core.nudgeDatabases();
  },
};
