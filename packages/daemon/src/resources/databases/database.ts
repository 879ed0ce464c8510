/** Converts database rows and their credentials to the format of the HTTP API. */
import {
  CA_FILE,
  type Database,
  type DatabaseCredentials,
  type DatabaseEngineOffer,
  type DatabaseStatus,
  timestamp,
} from '@davit/api';
import { engineNamed } from '@davit/template/parts';
import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import { databaseAccess, openDatabasePassword } from '../../app-spec/database-access.ts';
import { databaseHost } from '../../app-spec/names.ts';
import { unsealed } from '../../app-spec/unsealed.ts';
import type { OpContext } from '../../auth/context.ts';
import { instanceAuthority } from '../../auth/instance-authority.ts';
import { sees } from '../../authorization/lookup.ts';
import { type AttachedApp, appsOfDatabases } from '../../db/tables/attachment.ts';
import {
  type DatabaseRow,
  databaseReference,
  extensionsOf,
  listDatabaseRows,
} from '../../db/tables/managed-database.ts';
import { openTaskOf } from '../../db/tables/task.ts';
import { mapPage, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import type { DatabasesDeps } from './deps.ts';
import { DIALECTS } from './dialects/index.ts';
import { databaseOffers } from './offers.ts';
import { clientsOf, outsideUrl } from './outside.ts';
import { appsUsing } from './used-by.ts';

/** Lists the databases that the user or API key can see, sorted by project, environment and name. */
export function listDatabases(core: DatabasesDeps, ctx: OpContext, query: PageQuery): Page<Database> {
  const page = pageOf(listDatabaseRows(core.store, ctx.actor.projects), databaseKey, query);
  return presentDatabases(core, ctx, page);
}

/**
 * Returns a text for sorting databases by project, environment and name. The parts of the text are separated by spaces,
 * because a space comes before all characters of a slug.
 */
function databaseKey({ project, environment, name }: DatabaseRow): string {
  return `${project} ${environment} ${name}`;
}

export function presentDatabases(core: DatabasesDeps, ctx: OpContext, page: Page<DatabaseRow>): Page<Database> {
  const attached = appsOfDatabases(
    core.store,
    page.items.map(({ id }) => id),
  );
  const attachedTo = Map.groupBy(attached, ({ owner_id }) => owner_id);
  const using = appsUsing(core, core.store, page.items, { attached });
  return mapPage(page, (row) => present(core, ctx, row, attachedTo.get(row.id) ?? [], using.get(row.id) ?? []));
}

/**
 * Converts a database row to the format of the HTTP API.
 * @param sizes whether to measure the size of the volume, which may take seconds
 */
export async function readDatabase(
  core: DatabasesDeps,
  ctx: OpContext,
  row: DatabaseRow,
  sizes = false,
): Promise<Database> {
  const record = presentDatabase(core, ctx, row);
  return sizes ? { ...record, size_bytes: await sizeOf(core, ctx, row) } : record;
}

export function presentDatabase(core: DatabasesDeps, ctx: OpContext, row: DatabaseRow): Database {
  const attached = appsOfDatabases(core.store, [row.id]);
  const using = appsUsing(core, core.store, [row], { attached }).get(row.id) ?? [];
  return present(core, ctx, row, attached, using);
}

/** Credentials of a database and its address for apps of the same environment. */
export type InternalCredentials = Omit<DatabaseCredentials, 'exposed'>;

/**
 * Returns the credentials of a database and its address for apps of the same environment.
 * @throws DavitError conflict if the password cannot be decrypted
 */
export function internalCredentials(core: DatabasesDeps, row: DatabaseRow): InternalCredentials {
  const password = unsealed(() => openDatabasePassword(core, row), unopened(row));
  const { username, database, host, port, url } = databaseAccess(row, password);
  return { username, password, database, host, port, url };
}

/**
 * Returns the credentials and addresses of a database. If a port of the database is exposed, the result also contains
 * the public address.
 * @throws DavitError conflict if the password cannot be decrypted
 */
export async function readCredentials(core: DatabasesDeps, row: DatabaseRow): Promise<DatabaseCredentials> {
  const internal = internalCredentials(core, row);
  return { ...internal, exposed: await fromOutside(core, row, internal.password) };
}

function unopened(row: DatabaseRow): string {
  return `The password of ${databaseReference(row)} cannot be decrypted, because it was changed outside Davit. Restore the file davit.db of this instance from a copy. Or restore the latest backup of the app database into a new database.`;
}

export async function listEngines(
  { engine }: DatabasesDeps,
  _ctx: OpContext,
  query: PageQuery,
): Promise<Page<DatabaseEngineOffer>> {
  const offers = await databaseOffers(engine);
  return pageOf(
    offers.sort((a, b) => (a.engine < b.engine ? -1 : 1)),
    (offer) => offer.engine,
    query,
  );
}

/**
 * Returns the status of a database for the HTTP API. The status is derived from several columns of the database row.
 */
export function databaseStatus(row: DatabaseRow): DatabaseStatus {
  if (row.deleted_at !== null) return 'trash';
  if (row.state === 'failed') return 'failed';
  if (row.state === 'making') return 'provisioning';
  if (row.wanted === 'stopped') return 'stopped';
  return OBSERVED[row.observed];
}

const OBSERVED: Record<DatabaseRow['observed'], DatabaseStatus> = {
  unknown: 'provisioning',
  ready: 'running',
  unready: 'degraded',
  down: 'down',
};

async function fromOutside(
  core: DatabasesDeps,
  { engine, username, database, exposed_port }: DatabaseRow,
  password: string,
): Promise<DatabaseCredentials['exposed']> {
  if (exposed_port === null) return null;
  const { certificate } = await instanceAuthority(core);
  const address = { host: core.facts.domain, port: exposed_port };
  const outside = { engine, username, password, database, ...address };
  return { ...address, url: outsideUrl(outside), certificate, ca_file: CA_FILE, clients: clientsOf(outside) };
}

function present(
  core: DatabasesDeps,
  { actor }: OpContext,
  row: DatabaseRow,
  attached: readonly AttachedApp[],
  usedBy: string[],
): Database {
  const reference = databaseReference(row);
  const { id, project, environment, name, engine, version, image, description, username, database } = row;
  return {
    ...{ id, reference, project, environment, name, engine, version, image, description },
    ...{ extensions: extensionsOf(row), username, database, allow_config: row.allow_config === 1 },
    status: databaseStatus(row),
    status_reason: row.wanted === 'stopped' && row.deleted_at === null ? null : row.reason,
    limits: { cpu: row.cpu, memory_bytes: row.memory_bytes },
    host: databaseHost(row),
    port: engineNamed(engine)?.port ?? DIALECTS[engine].port,
    exposed: row.exposed_port === null ? null : { port: row.exposed_port, tls: true },
    attachments: attached
      .filter(({ project_id }) => sees(actor, project_id))
      .map(({ app, prefix }) => ({ app, prefix })),
    used_by: usedBy,
    task: row.deleted_at === null ? (openTaskOf(core.store, 'database', reference)?.id ?? null) : null,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
    deleted:
      row.deleted_at === null || row.expires_at === null
        ? null
        : { at: timestamp(row.deleted_at), expires_at: timestamp(row.expires_at) },
  };
}

/** Returns the size of the database's volume in bytes, or `null` if Docker cannot measure the volume. */
function sizeOf({ engine }: DatabasesDeps, { signal }: OpContext, { volume }: DatabaseRow): Promise<number | null> {
  return engine.volumeSize(volume, signal).catch((error: unknown) => {
    if (error instanceof EngineUnavailable || error instanceof EngineRefused) return null;
    throw error;
  });
}
