/** Creates the databases of an installation. A separate task creates each database, and these tasks run in parallel. */
import { DatabaseCreate, DavitError } from '@davit/api';
import { lookUp } from '../../../authorization/lookup.ts';
import { type DatabaseRow, databaseById, databaseByReference } from '../../../db/tables/managed-database.ts';
import { openTaskOf } from '../../../db/tables/task.ts';
import { putResource, type ResourceRow, resourcesOf } from '../../../db/tables/template-install.ts';
import { takeDown } from '../../../managed-services/container.ts';
import { deleteDatabase, patchDatabase } from '../../databases/change.ts';
import { planDatabase, recordDatabase } from '../../databases/create.ts';
import { internalCredentials } from '../../databases/database.ts';
import { DATABASE } from '../../databases/managed-service.ts';
import { destroyDatabase } from '../../databases/trash.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import type { TemplatesDeps } from '../deps.ts';
import type { DatabaseValues } from '../plan/references.ts';
import { databaseRequest } from '../plan/requests.ts';
import { own, type WantedDatabase } from '../plan/wanted.ts';
import { admitted, withinMachine } from './apps.ts';
import type { Build, InstallRemoval } from './build.ts';
import { untilCreated } from './created.ts';
import { type InstallRecord, wantedIn } from './record.ts';
import type { DataEnd } from './remove-apps.ts';
import { forgetThing, noteThing } from './resources.ts';
import { isHad, isOurs, isThat, type Thing, thingId } from './things.ts';

/**
 * Returns the values that replace references to databases in a template. Databases that do not exist yet have no
 * values.
 */
export function databaseValues(side: DatabaseSide): Record<string, DatabaseValues> {
  const { core, wanted } = side;
  return Object.fromEntries(
    wanted.databases.flatMap(({ key, reference }) => {
      const row = hadDatabase(side, reference);
      return row === undefined ? [] : [[key, valuesOf(core, row)]];
    }),
  );
}

type DatabaseSide = Pick<Build, 'core' | 'installId' | 'wanted'>;

/**
 * Returns a database of the installation. Returns `undefined` if the database was deleted, even if a new database has
 * the same name.
 */
export function hadDatabase({ core, installId }: Pick<Build, 'core' | 'installId'>, reference: string) {
  const isIt = isHad(core.store, installId, { kind: 'database', reference });
  return isIt ? databaseByReference(core.store, reference) : undefined;
}

/**
 * Checks that no database of an installation was deleted. Without the check, an unchanged release would seem complete.
 * @throws DavitError conflict with the way to get the database back
 */
export function demandDatabases({ store, now }: Pick<TemplatesDeps, 'store' | 'now'>, record: InstallRecord): void {
  const wanted = new Set(wantedIn(record).databases.map(({ key }) => key));
  const gone = resourcesOf(store, record.id).find(
    (row) => row.kind === 'database' && wanted.has(row.key ?? '') && !isThat(store, row),
  );
  if (gone === undefined) return;
  const left = databaseById(store, gone.thing_id ?? 0);
  const isInTrash = left?.deleted_at != null && (left.expires_at ?? 0) > now();
  const what = isInTrash
    ? `is in the trash. Restore it from the trash (ID ${left.id}), then try again.`
    : 'no longer exists. Uninstall the installation, then install it again.';
  throw new DavitError('conflict', `The database ${gone.reference} of the installation ${what}`);
}

function valuesOf(core: TemplatesDeps, row: DatabaseRow): DatabaseValues {
  const { host, port, username, password, database } = internalCredentials(core, row);
  return { host, port: String(port), user: username, password, name: database ?? '' };
}

/** Starts the creation of each missing database, and waits until every database accepts connections. */
export async function makeDatabases(build: Build, signal: AbortSignal): Promise<void> {
  const { task, wanted } = build;
  const { databases } = wanted;
  for (const database of databases) await startCreation(build, database);
  let done = 0;
  for (const { reference } of databases) {
    const isMade = () => (hadDatabase(build, reference)?.state ?? 'failed') !== 'failed';
    await untilCreated(build, { kind: 'database', reference, isMade }, signal);
    done += 1;
    task.progress(done, databases.length, 'databases');
  }
}

/**
 * Starts the creation of a database. Does nothing if the database is already saved as part of the installation. In this
 * case, the same transaction has saved its creation task.
 */
async function startCreation(build: Build, database: WantedDatabase): Promise<void> {
  const { core, ctx, installId } = build;
  const { key, name, reference, adopt } = database;
  const thing = { kind: 'database', key, name, reference } as const;
  if (adopt !== null) return noteAdopted(build, thing);
  if (isOurs(core.store, installId, thing)) return;
  const request = databaseRequest(build.wanted, database);
  const limits = withinMachine(core, request.limits ?? {});
  const input = admitted(DatabaseCreate, { ...request, limits });
  const { project, environment: slug } = build.wanted;
  const environment = lookUp(core.store, ctx.actor, 'administer', 'environment', { project, environment: slug });
  const plan = await planDatabase(core, ctx, input);
  const requester = { by: ctx.actor.username, via: ctx.actor.via };
  core.tasks.start((tx) => {
    const taskRequest = recordDatabase(core, tx, environment, plan, requester);
    putResource(
      tx,
      { install_id: installId, ...thing, state: 'made', thing_id: thingId(tx, thing) ?? null },
      core.now(),
    );
    return taskRequest;
  });
}

/**
 * Saves that the installation uses an existing database.
 * @throws TaskFailed if the database was deleted, even if a new one has its name
 */
function noteAdopted({ core, installId, chosen }: Build, thing: Thing & { key: string }): void {
  const found = thingId(core.store, thing);
  const number = own(chosen.databases, thing.key) ?? found;
  if (found === undefined || number !== found)
    throw new TaskFailed(
      `The existing database ${thing.reference}, which was chosen for the installation, does not exist anymore.`,
    );
  noteThing(core, installId, thing, 'adopted');
}

export async function limitDatabases(
  { core, ctx, installId }: Build,
  databases: readonly Pick<WantedDatabase, 'reference' | 'limits'>[],
): Promise<void> {
  for (const { reference, limits } of databases) {
    const row = hadDatabase({ core, installId }, reference);
    if (row !== undefined) await patchDatabase(core, ctx, row, { limits: limits && withinMachine(core, limits) });
  }
}

/**
 * Removes an installation's databases, newest first. If a failed installation is undone, databases that existed before
 * the installation stay.
 */
export async function removeDatabases(removal: InstallRemoval, end: DataEnd): Promise<void> {
  const rows = resourcesOf(removal.core.store, removal.installId).filter(({ kind }) => kind === 'database');
  for (const row of rows.reverse()) {
    if (row.state === 'adopted' && end === 'destroy') forgetThing(removal.core, row);
    else if (row.state === 'made' || row.state === 'adopted') await remove(removal, row, end);
  }
}

/**
 * Removes a database that an update created, before the update's undo deploys the apps again. Does nothing if the
 * database existed before the installation.
 */
export async function removeDatabase(removal: InstallRemoval, reference: string, end: DataEnd): Promise<void> {
  const rows = resourcesOf(removal.core.store, removal.installId);
  const row = rows.find((one) => one.kind === 'database' && one.reference === reference && one.state === 'made');
  if (row !== undefined) await remove(removal, row, end, { redeploys: true });
}

async function remove(
  { core, ctx, installId }: InstallRemoval,
  row: ResourceRow,
  end: DataEnd,
  { redeploys = false } = {},
): Promise<void> {
  // Do not remove a database that a user created later with the same name.
  if (!isThat(core.store, row)) return forgetThing(core, row);
  if (end === 'keep') return noteThing(core, installId, row, 'kept');
  await endTask(core, row.reference);
  const found = databaseByReference(core.store, row.reference);
  if (found !== undefined) {
    deleteDatabase(core, ctx, found, found.name, { redeploys });
    if (end === 'destroy') await destroyDatabase(core, ctx, String(found.id), found.name);
    // Remove the container even if the database is only moved to the trash. Otherwise, the environment's network could
    // not be removed.
    else await takeDown(DATABASE, core, databaseById(core.store, found.id) ?? found);
  }
  forgetThing(core, row);
}

/** Cancels an unfinished task that creates a database. The canceled task removes the unfinished database. */
async function endTask(core: TemplatesDeps, reference: string): Promise<void> {
  const open = openTaskOf(core.store, 'database', reference);
  if (open !== undefined) await core.tasks.cancel(open.id);
}
