/** What a database is reached with, and what is in it besides data: another password, further extensions. */
import { canDatabase, type DatabaseExtensions, DavitError } from '@davit/api';
import type { OpContext } from '../context.ts';
import { type AddingExtensions, withExtensions } from '../databases/kinds/extensions.ts';
import type { Rotating } from '../databases/rotation/kind.ts';
import { attachedTo } from '../release/attached.ts';
import { openDatabasePassword } from '../release/database-access.ts';
import { readRevision } from '../release/revision.ts';
import { appsOfEnvironment } from '../store/app.ts';
import { type DatabaseRow, extensionsOf } from '../store/managed-database.ts';
import type { Tx } from '../store/store.ts';
import type { Core } from './core.ts';
import { databaseStatus } from './database.ts';
import { begin, refused } from './database-change.ts';
import { withNeeded } from './database-create.ts';

/**
 * Gives it another password, or goes on with a rotation that did not come to its end.
 * @returns the task's number
 * @throws DavitError conflict when it does not run, or an app still runs with variables that it has no more
 */
export function rotatePassword(core: Core, ctx: OpContext, row: DatabaseRow): number {
  return begin(core, ctx, row, 'database.rotate', (now, tx): Omit<Rotating, 'database'> => {
    if (!canDatabase.use(databaseStatus(now))) throw refused(now, 'given another password');
    const goesOn = now.other_logins !== null;
    if (!goesOn) demandDeployed(core, tx, now);
    return { goesOn, by: ctx.actor.username, via: ctx.actor.via };
  });
}

/**
 * What runs with variables of an attachment that has gone or changed since is not brought over by running it again: it would
 * lose the database.
 */
function demandDeployed(core: Core, tx: Tx, row: DatabaseRow): void {
  const password = openDatabasePassword(core, row);
  for (const app of appsOfEnvironment(tx, row.environment_id)) {
    if (app.live_revision === null || app.stopped === 1) continue;
    const attached = attachedTo(core, tx, [app.id]).get(app.id) ?? [];
    const keys = new Set(
      attached
        .filter((one) => one.row.database_id === row.id)
        .flatMap(({ variables }) => variables.map(({ key }) => key)),
    );
    const { variables } = readRevision(core, app.id, app.live_revision);
    const lost = variables.find(
      ({ key, source, value }) => source === 'attachment' && value.includes(password) && !keys.has(key),
    );
    if (lost === undefined) continue;
    const message = `${app.name} still runs with ${lost.key} of this database, which is not attached like that any more: deploy it first.`;
    throw new DavitError('conflict', message);
  }
}

/**
 * Adds extensions to a postgres, with what they stand on.
 * @returns the task's number
 * @throws DavitError invalid_input for one that its version does not have; conflict when it does not run
 */
export function addExtensions(
  core: Core,
  ctx: OpContext,
  row: DatabaseRow,
  { extensions }: DatabaseExtensions,
): number {
  const added = withNeeded({ engine: row.engine, extensions }, row.version);
  return begin(core, ctx, row, 'database.extensions', (now): Omit<AddingExtensions, 'database'> => {
    if (!canDatabase.use(databaseStatus(now))) throw refused(now, 'given extensions');
    return { extensions: withExtensions(now, added), before: extensionsOf(now) };
  });
}
