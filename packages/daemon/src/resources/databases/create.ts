/** Creates databases. The functions validate the API request and start a task that creates the database. */
import { DATABASE_PORTS, type DatabaseCreate, type DatabaseEngineOffer, invalidField, takenField } from '@davit/api';
import { quote } from '@davit/service';
import { ENGINES, EXTENSIONS } from '@davit/template/parts';
import { databaseVolumeName } from '../../adapters/engine/names.ts';
import { databaseSecretLocation } from '../../app-spec/database-access.ts';
import type { OpContext } from '../../auth/context.ts';
import { demandPresent, type EnvironmentTarget, lookUp } from '../../authorization/lookup.ts';
import type { Tx } from '../../db/store.ts';
import { databaseByName } from '../../db/tables/managed-database.ts';
import { insertDatabase, type NumberedParts } from '../../db/tables/new-database.ts';
import { withinQuota } from '../../quotas/quota.ts';
import { demandCores } from '../apps/save-settings.ts';
import type { TaskRequest, TaskRequester } from '../tasks/tasks.ts';
import { demandFreePort, demandSilentPort, firstFreePort } from '../tcp-ports/host-port.ts';
import type { OfDatabase } from './base.ts';
import type { DatabasesDeps } from './deps.ts';
import { DIALECTS } from './dialects/index.ts';
import { databaseOffers, imageFor } from './offers.ts';
import { nextUsername } from './rotation/login-names.ts';
import { RULES } from './rules.ts';
import { newDatabasePassword, newTlsKey } from './secrets.ts';

/** Validated properties of a new database. */
export type DatabasePlan = Omit<
  DatabaseCreate,
  'project' | 'environment' | 'version' | 'username' | 'database' | 'expose'
> & {
  version: string;
  image: string;
  username: string;
  database: string | null;
  port: number | null;
};

/**
 * Starts a task that creates a database. Returns the task id.
 * @throws DavitError not_found, forbidden, invalid_input, conflict
 */
export async function createDatabase(core: DatabasesDeps, ctx: OpContext, input: DatabaseCreate): Promise<number> {
  const { project, environment: slug } = input;
  const environment = lookUp(core.store, ctx.actor, 'administer', 'environment', { project, environment: slug });
  const plan = await planDatabase(core, ctx, input);
  const requester = { by: ctx.actor.username, via: ctx.actor.via };
  return core.tasks.start((tx) => {
    if (plan.port !== null) demandFreePort(core, tx, ctx, plan.port);
    const request = recordDatabase(core, tx, environment, plan, requester);
    core.store.trail.about({ target: request.subject.name, projectId: environment.project.id });
    return request;
  });
}

/**
 * Selects the version, image, names and port of a new database. The function does not write to SQLite.
 * @throws DavitError invalid_input, conflict
 */
export async function planDatabase(core: DatabasesDeps, ctx: OpContext, input: DatabaseCreate): Promise<DatabasePlan> {
  const { project: _p, environment: _e, expose, version: requestedVersion, username, database, ...rest } = input;
  demandCores(core, { limits: input.limits });
  const offer = (await databaseOffers(core.engine)).find(({ engine }) => engine === input.engine);
  const version = requestedVersion ?? offer?.versions[0]?.version;
  if (offer === undefined || version === undefined || offer.versions.every((one) => one.version !== version)) {
    const offered = offer?.versions.map((one) => one.version).join(', ');
    throw invalidField(
      'version',
      'invalid_value',
      `must be a version of ${input.engine} that this server offers: ${offered}.`,
    );
  }
  demandConfig(input);
  const extensions = withNeeded(input, version);
  const names = namesOf(input, offer);
  if (expose !== null && expose !== 0) {
    demandFreePort(core, core.store, ctx, expose);
    await demandSilentPort(ctx, expose);
  }
  const port = expose === 0 ? await firstFreePort(core, DATABASE_PORTS, 'expose') : expose;
  return { ...rest, version, extensions, image: imageFor(offer, version, extensions), ...names, port };
}

/**
 * Inserts the row of a new database.
 * @returns new task, for `core.tasks.start` or `core.tasks.succeeded`
 * @throws DavitError not_found, conflict, quota_exceeded
 */
export function recordDatabase(
  core: DatabasesDeps,
  tx: Tx,
  environment: EnvironmentTarget,
  plan: DatabasePlan,
  { by, via }: TaskRequester,
): TaskRequest<OfDatabase> {
  demandPresent(tx, environment);
  const { project } = environment;
  const { name, limits, port, password, allow_config, ...of } = plan;
  if (databaseByName(tx, environment.id, name)) {
    const message = `A database ${name} already exists in ${project.slug}/${environment.slug}. Choose another name.`;
    throw takenField('name', message);
  }
  const row = {
    ...{ project_id: project.id, environment_id: environment.id, project: project.slug, environment: environment.slug },
    ...{
      name,
      ...of,
      allow_config: allow_config ? (1 as const) : (0 as const),
      cpu: limits.cpu,
      memory_bytes: limits.memory_bytes,
      exposed_port: port,
      at: core.now(),
    },
  };
  const insert = () => insertDatabase(tx, row, (id) => numberedParts(core, id, password ?? newDatabasePassword()));
  const database = withinQuota(tx, project.id, insert);
  const subject = { kind: 'database', name: `${project.slug}/${environment.slug}/${name}` } as const;
  return { kind: 'database.create', subject, projectId: project.id, input: { database }, by, via };
}

function numberedParts({ sealer, facts }: DatabasesDeps, id: number, password: string): NumberedParts {
  return {
    password: sealer.seal(password, databaseSecretLocation(id, 'password')),
    admin_password: sealer.seal(newDatabasePassword(), databaseSecretLocation(id, 'admin_password')),
    tls: newTlsKey(sealer, id),
    volume: databaseVolumeName(facts.id, id),
    rules: RULES,
  };
}

/**
 * Returns the requested extensions and all extensions that they require, sorted by name.
 * @throws DavitError invalid_input for an unsupported extension
 */
export function withNeeded(
  { engine, extensions }: Pick<DatabaseCreate, 'engine' | 'extensions'>,
  version: string,
): string[] {
  for (const name of extensions) {
    if (!DIALECTS[engine].hasExtensions)
      throw invalidField(
        'extensions',
        'not_allowed',
        `The engine ${engine} does not support extensions. Leave them out.`,
      );
    if (!Object.hasOwn(EXTENSIONS, name) || !EXTENSIONS[name]?.versions.includes(version)) {
      const message = `“${quote(name)}” is not an extension of ${engine} ${version}. GET /api/database-engines lists the extensions.`;
      throw invalidField('extensions', 'invalid_value', message);
    }
  }
  return [...new Set(extensions.flatMap((name) => [name, ...(EXTENSIONS[name]?.needs ?? [])]))].sort();
}

/**
 * Checks that the database engine supports the option `allow_config` if the request contains it.
 * @throws DavitError invalid_input
 */
export function demandConfig({ engine, allow_config }: Partial<Pick<DatabaseCreate, 'engine' | 'allow_config'>>): void {
  if (allow_config !== true || (engine !== undefined && DIALECTS[engine].hasConfigCommand)) return;
  throw invalidField(
    'allow_config',
    'not_allowed',
    `Only Redis supports this setting, but this database uses ${engine}. Leave the setting out.`,
  );
}

/**
 * Returns the first user name and the database name of a new database.
 * @throws DavitError invalid_input for a name that the database engine or Davit reserves
 */
function namesOf(input: DatabaseCreate, offer: DatabaseEngineOffer): { username: string; database: string | null } {
  const { engine, name } = input;
  const { reserved, defaultUser } = DIALECTS[engine];
  const database = offer.named ? (input.database ?? nameFor(name)) : null;
  const username = input.username ?? offer.only_user ?? defaultUser ?? nameFor(name);
  if (offer.only_user !== null && username !== offer.only_user)
    throw invalidField('username', 'not_allowed', `must be “${offer.only_user}”, the only user of ${engine}.`);
  // Check the first user name and also the user name after a password rotation, for example `shop` and `shop_2`.
  const names = [username, nextUsername(username, undefined, reserved.users)];
  if (ENGINES[engine]?.refusedUsers.includes(username) || names.some((one) => reserved.users.test(one)))
    throw invalidField('username', 'not_allowed', `“${username}” is reserved by ${engine}. Choose another user name.`);
  if (!offer.named && input.database !== undefined)
    throw invalidField('database', 'not_allowed', `The engine ${engine} has no named databases. Leave this field out.`);
  if (database !== null && reserved.databases.test(database))
    throw invalidField(
      'database',
      'not_allowed',
      `“${database}” is reserved by ${engine}. Choose another database name.`,
    );
  return { username, database };
}

/**
 * Converts a slug to a name that all database engines accept. The name has no hyphens, no digit at the start, and at
 * most 32 characters.
 */
function nameFor(slug: string): string {
  const name = slug.replaceAll('-', '_').slice(0, 32);
  return /^\d/.test(name) ? `_${name}`.slice(0, 32) : name;
}
