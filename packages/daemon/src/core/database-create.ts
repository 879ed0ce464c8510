/** A new database: what is asked for is checked here, and made by a task. */
import { DATABASE_PORTS, type DatabaseCreate, type DatabaseEngineOffer, DavitError } from '@davit/api';
import { quote } from '@davit/service';
import { ENGINES, EXTENSIONS } from '@davit/template/parts';
import type { OpContext } from '../context.ts';
import type { OfDatabase } from '../databases/base.ts';
import { DIALECTS } from '../databases/dialects/index.ts';
import { databaseOffers, imageFor } from '../databases/offers.ts';
import { newPassword, newTlsPair } from '../databases/secrets.ts';
import { databaseVolumeName } from '../engine/names.ts';
import { databaseSecretPlace } from '../release/database-access.ts';
import { databaseByName } from '../store/managed-database.ts';
import { insertDatabase, type NumberedParts } from '../store/new-database.ts';
import type { Tx } from '../store/store.ts';
import type { Asker, TaskAsk } from '../tasks/tasks.ts';
import type { Core } from './core.ts';
import { demandFreePort, demandSilentPort, firstFreePort } from './host-port.ts';
import { demandPresent, type EnvironmentTarget, lookUp } from './lookup.ts';
import { demandCores } from './save-settings.ts';

/** What is made for a create, once everything in it is known to be possible. */
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
 * Asks for a database in an environment that the actor may have one in.
 * @returns the task's number
 * @throws DavitError not_found, forbidden, invalid_input, conflict
 */
export async function createDatabase(core: Core, ctx: OpContext, input: DatabaseCreate): Promise<number> {
  const { project, environment: slug } = input;
  const environment = lookUp(core.store, ctx.actor, 'administer', 'environment', { project, environment: slug });
  const plan = await planDatabase(core, ctx, input);
  const asker = { by: ctx.actor.username, via: ctx.actor.via };
  return core.tasks.start((tx) => {
    if (plan.port !== null) demandFreePort(core, tx, ctx, plan.port);
    const ask = recordDatabase(core, tx, environment, plan, asker);
    core.store.trail.about({ target: ask.subject.name, projectId: environment.project.id });
    return ask;
  });
}

/**
 * What a create comes to on this machine: version, image, names and port. Nothing is on record yet.
 * @throws DavitError invalid_input, conflict
 */
export async function planDatabase(core: Core, ctx: OpContext, input: DatabaseCreate): Promise<DatabasePlan> {
  const { project: _p, environment: _e, expose, version: asked, username, database, ...rest } = input;
  demandCores(core, { limits: input.limits });
  const offer = (await databaseOffers(core.engine)).find(({ engine }) => engine === input.engine);
  const version = asked ?? offer?.versions[0]?.version;
  if (offer === undefined || version === undefined || offer.versions.every((one) => one.version !== version)) {
    const offered = offer?.versions.map((one) => one.version).join(', ');
    throw new DavitError('invalid_input', `version: must be one that is offered here of ${input.engine}: ${offered}.`);
  }
  const extensions = withNeeded(input, version);
  const names = namesOf(input, offer);
  if (expose !== null && expose !== 0) {
    demandFreePort(core, core.store, ctx, expose);
    await demandSilentPort(expose);
  }
  const port = expose === 0 ? await firstFreePort(core, DATABASE_PORTS, 'expose') : expose;
  return { ...rest, version, extensions, image: imageFor(offer, version, extensions), ...names, port };
}

/**
 * Puts a planned database on record, in a transaction of the caller's, and answers the task that makes it: of `core.tasks.start`,
 * or of another task's step, which waits for it with `core.tasks.succeeded`.
 * @throws DavitError not_found when the environment is gone, conflict when the name is taken in it
 */
export function recordDatabase(
  core: Core,
  tx: Tx,
  environment: EnvironmentTarget,
  plan: DatabasePlan,
  { by, via }: Asker,
): TaskAsk<OfDatabase> {
  demandPresent(tx, environment);
  const { project } = environment;
  const { name, limits, port, password, ...of } = plan;
  if (databaseByName(tx, environment.id, name)) {
    const message = `${project.slug}/${environment.slug} has a database ${name} already: choose another name.`;
    throw new DavitError('conflict', message);
  }
  const row = {
    ...{ project_id: project.id, environment_id: environment.id, project: project.slug, environment: environment.slug },
    ...{ name, ...of, cpu: limits.cpu, memory_bytes: limits.memory_bytes, exposed_port: port, at: core.now() },
  };
  const database = insertDatabase(tx, row, (id) => numberedParts(core, id, row, password ?? newPassword()));
  const subject = { kind: 'database', name: `${project.slug}/${environment.slug}/${name}` } as const;
  return { kind: 'database.create', subject, projectId: project.id, input: { database }, by, via };
}

function numberedParts(
  { sealer, facts, now }: Core,
  id: number,
  row: { name: string; environment: string; project: string },
  password: string,
): NumberedParts {
  return {
    password: sealer.seal(password, databaseSecretPlace(id, 'password')),
    admin_password: sealer.seal(newPassword(), databaseSecretPlace(id, 'admin_password')),
    tls: sealer.seal(JSON.stringify(newTlsPair(row, now())), databaseSecretPlace(id, 'tls')),
    volume: databaseVolumeName(facts.id, id),
  };
}

/** With what they stand on, sorted. @throws DavitError invalid_input for one that the version does not have */
export function withNeeded(
  { engine, extensions }: Pick<DatabaseCreate, 'engine' | 'extensions'>,
  version: string,
): string[] {
  for (const name of extensions) {
    if (engine !== 'postgres') throw new DavitError('invalid_input', `extensions: ${engine} has none: leave them out.`);
    if (!Object.hasOwn(EXTENSIONS, name) || !EXTENSIONS[name]?.versions.includes(version)) {
      const message = `extensions: «${quote(name)}» is none of postgres ${version}: see GET /api/database-engines.`;
      throw new DavitError('invalid_input', message);
    }
  }
  return [...new Set(extensions.flatMap((name) => [name, ...(EXTENSIONS[name]?.needs ?? [])]))].sort();
}

/** @throws DavitError invalid_input for names that belong to the engine or to the instance */
function namesOf(input: DatabaseCreate, offer: DatabaseEngineOffer): { username: string; database: string | null } {
  const { engine, name } = input;
  const { reserved } = DIALECTS[engine];
  const database = offer.named ? (input.database ?? nameFor(name)) : null;
  const username = input.username ?? offer.only_user ?? (engine === 'postgres' ? 'postgres' : nameFor(name));
  if (offer.only_user !== null && username !== offer.only_user)
    throw new DavitError('invalid_input', `username: the only user of ${engine} is «${offer.only_user}».`);
  if (ENGINES[engine]?.refusedUsers.includes(username) || reserved.users.test(username))
    throw new DavitError('invalid_input', `username: «${username}» is the engine’s own: choose another.`);
  if (!offer.named && input.database !== undefined)
    throw new DavitError('invalid_input', `database: ${engine} has no databases with names: leave it out.`);
  if (database !== null && reserved.databases.test(database))
    throw new DavitError('invalid_input', `database: «${database}» is the engine’s own: choose another.`);
  return { username, database };
}

/** A slug as engines call things: not beginning with a digit, and within what the shortest of them takes. */
function nameFor(slug: string): string {
  const name = slug.replaceAll('-', '_').slice(0, 32);
  return /^\d/.test(name) ? `_${name}`.slice(0, 32) : name;
}
