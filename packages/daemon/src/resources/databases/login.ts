/** Functions of the HTTP API that rotate the password of a running database or add extensions to the database. */
import { canDatabase, type DatabaseExtensions, DavitError } from '@davit/api';
import { attachedTo } from '../../app-spec/attached.ts';
import { openDatabasePassword } from '../../app-spec/database-access.ts';
import { storedRevision } from '../../app-spec/revision.ts';
import type { OpContext } from '../../auth/context.ts';
import type { Tx } from '../../db/store.ts';
import { appsOfEnvironment } from '../../db/tables/app.ts';
import { type DatabaseRow, databaseReference, extensionsOf } from '../../db/tables/managed-database.ts';
import { startDatabaseTask, stateRefusal } from './change.ts';
import { withNeeded } from './create.ts';
import { databaseStatus } from './database.ts';
import type { DatabasesDeps } from './deps.ts';
import { type AddingExtensions, withExtensions } from './kinds/extensions.ts';
import type { Rotating } from './rotation/kind.ts';

const START = 'Start the database, or wait until it is running.';

/**
 * Starts a password rotation of a database, or continues an unfinished rotation. Returns the task id.
 * @throws DavitError conflict for a stopped database or an app with outdated variables
 */
export function rotatePassword(core: DatabasesDeps, ctx: OpContext, row: DatabaseRow): number {
  return startDatabaseTask(core, ctx, row, 'database.rotate', (now, tx): Omit<Rotating, 'database'> => {
    if (!canDatabase.rotate(databaseStatus(now))) throw stateRefusal(now, 'rotate the password of', START);
    const goesOn = now.other_logins !== null;
    if (!goesOn) demandDeployed(core, tx, now);
    return { goesOn, by: ctx.actor.username, via: ctx.actor.via };
  });
}

/**
 * Checks that each running app with the password of a database still has an unchanged attachment to the database.
 * Without this attachment, the app would lose access after the password rotation.
 * @throws DavitError conflict
 */
function demandDeployed(core: DatabasesDeps, tx: Tx, row: DatabaseRow): void {
  const password = openDatabasePassword(core, row);
  for (const app of appsOfEnvironment(tx, row.environment_id)) {
    if (app.live_revision === null || app.stopped === 1) continue;
    const attached = attachedTo(core, tx, [app.id]).get(app.id) ?? [];
    const keys = new Set(
      attached
        .filter((one) => one.row.database_id === row.id)
        .flatMap(({ variables }) => variables.map(({ key }) => key)),
    );
    const { variables } = storedRevision(core, app.id, app.live_revision);
    const lost = variables.find(
      ({ key, source, value }) => source === 'attachment' && value.includes(password) && !keys.has(key),
    );
    if (lost === undefined) continue;
    const message = `The app ${app.name} still uses the variable ${lost.key}, but its attachment to ${databaseReference(row)} was changed or removed. Deploy the app first.`;
    throw new DavitError('conflict', message);
  }
}

/**
 * Starts a task that adds extensions to a database. Returns the task id.
 * @throws DavitError invalid_input for an unsupported extension; conflict for a stopped database
 */
export function addExtensions(
  core: DatabasesDeps,
  ctx: OpContext,
  row: DatabaseRow,
  { extensions }: DatabaseExtensions,
): number {
  const added = withNeeded({ engine: row.engine, extensions }, row.version);
  return startDatabaseTask(core, ctx, row, 'database.extensions', (now): Omit<AddingExtensions, 'database'> => {
    if (!canDatabase.use(databaseStatus(now))) throw stateRefusal(now, 'add extensions to', START);
    return { extensions: withExtensions(now, added), before: extensionsOf(now) };
  });
}
