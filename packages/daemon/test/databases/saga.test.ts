/** All kinds of database tasks at every step: run twice, failing, interrupted by a crash, canceled. */
import { DatabaseCreate } from '@davit/api';
import { type DatabaseRow, setDatabase } from '../../src/db/tables/managed-database.ts';
import {
  deleteDatabase,
  exposeDatabase,
  restartDatabase,
  startDatabase,
  stopDatabase,
  unexposeDatabase,
} from '../../src/resources/databases/change.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { DATABASE } from '../../src/resources/databases/managed-service.ts';
import { RULES_DUE } from '../../src/resources/databases/rules.ts';
import { restoreDatabase } from '../../src/resources/databases/trash.ts';
import {
  type ManagedServiceCase,
  managedServiceHarnesses,
  managedServiceMatrix,
  onlyOne,
} from '../support/managed-service-matrix.ts';
import { taskMatrix } from '../support/task-matrix.ts';

const DATABASES: ManagedServiceCase<DatabaseRow> = {
  kind: DATABASE,
  further: ['set-up'],
  furtherBack: ['login'],
  create: ({ core, ctx }) =>
    createDatabase(core, ctx, DatabaseCreate.parse({ project: 'shop', name: 'db', engine: 'postgres' })),
  start: ({ core, ctx }, row) => startDatabase(core, ctx, row),
  stop: ({ core, ctx }, row) => stopDatabase(core, ctx, row),
  expose: ({ core, ctx }, row, input) => exposeDatabase(core, ctx, row, input),
  unexpose: ({ core, ctx }, row) => unexposeDatabase(core, ctx, row),
  remove: ({ core, ctx }, row) => deleteDatabase(core, ctx, row, row.name),
  restore: ({ core, ctx }, { id }) => restoreDatabase(core, ctx, String(id)),
};

managedServiceMatrix(DATABASES);

const { made, snapshot } = managedServiceHarnesses(DATABASES);

taskMatrix('bringing a database back whose server may have another password', {
  kind: 'database.restore',
  steps: ['container', 'ready', 'login', 'publish'],
  prepare: async () => {
    const harness = await made();
    deleteDatabase(harness.core, harness.ctx, onlyOne(DATABASE, harness), 'db');
    await harness.reconcile();
    harness.core.store.tx((tx) => setDatabase(tx, onlyOne(DATABASE, harness).id, { rules: RULES_DUE }));
    return harness;
  },
  ask: (harness) => restoreDatabase(harness.core, harness.ctx, String(onlyOne(DATABASE, harness).id)),
  snapshot,
});

taskMatrix('restarting a database', {
  kind: 'database.restart',
  steps: ['container', 'ready', 'publish'],
  prepare: made,
  ask: (harness) => restartDatabase(harness.core, harness.ctx, onlyOne(DATABASE, harness)),
  snapshot,
});
