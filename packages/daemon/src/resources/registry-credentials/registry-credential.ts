/**
 * API functions for the credentials of other registries. Passwords are encrypted in the database, and no API response
 * contains them.
 */
import {
  DavitError,
  invalidField,
  type Registry,
  type RegistryCreate,
  type RegistryPatch,
  timestamp,
} from '@davit/api';
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { RegistryAuth } from '../../adapters/engine/image.ts';
import { sentence } from '../../app-spec/sentence.ts';
import { unsealed } from '../../app-spec/unsealed.ts';
import type { Actor, OpContext } from '../../auth/context.ts';
import { demandSameProjects, wantedProjects } from '../../auth/own-keys.ts';
import { demandAllProjects, seesEach } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { listProjects } from '../../db/tables/project.ts';
import {
  changeRegistry,
  deleteRegistry,
  insertRegistry,
  listRegistries as listRows,
  projectsOfRegistry,
  type RegistryRow,
  registryById,
} from '../../db/tables/registry.ts';
import { openPassword, passwordLocation, registryFor } from '../../image-references/credentials.ts';
import { isOwnRegistryHost } from '../../image-references/own-registry.ts';
import { mapPage, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { byPathNumber } from '../../input/path-number.ts';
import { normalizeRegistryHost } from './canonical-host.ts';
import type { RegistryCredentialsDeps } from './deps.ts';

const CHECK_MS = 15_000;

/**
 * Maximum number of registry credentials of the instance. Each project has a lower maximum, so that one project cannot
 * use the whole number.
 */
const MOST = 1_000;
const MOST_OF_PROJECT = 25;

/** Returns the registry credentials that the user can see, sorted by host. */
export function listRegistries(
  { store }: RegistryCredentialsDeps,
  { actor }: OpContext,
  query: PageQuery = {},
): Page<Registry> {
  const seen = listRows(store).filter((row) => seesRegistry(actor, row));
  return mapPage(
    pageOf(seen, (row) => row.host, query),
    (row) => present(store, row),
  );
}

/** @throws DavitError not_found if there are no registry credentials with this id, or the actor does not see them */
export function readRegistry(
  { store }: RegistryCredentialsDeps,
  { actor }: OpContext,
  number: string | undefined,
): Registry {
  return present(store, found(store, actor, number));
}

/**
 * Saves registry credentials. With `check`, the registry must accept them first.
 * @throws DavitError invalid_input, conflict, check_failed, forbidden; EngineUnavailable
 */
export async function addRegistry(
  core: RegistryCredentialsDeps,
  { actor }: OpContext,
  input: RegistryCreate,
  check: boolean,
): Promise<Registry> {
  const projects = grantedProjects(core.store, actor, input.projects ?? null);
  const host = normalizeRegistryHost(input.host);
  if (host === null)
    throw invalidField(
      'host',
      'invalid_format',
      'must be the host of a registry, such as ghcr.io or registry.example.com:5000.',
    );
  refuseOwn(core, host);
  refuseTaken(core.store, { host, projects });
  refuseMore(core.store, projects);
  const { username, password } = input;
  const checkedAt = check ? await checkNow(core, host, { username, password }) : null;
  return core.store.tx((tx) => {
    demandSameProjects(tx, projects);
    refuseTaken(tx, { host, projects });
    refuseMore(tx, projects);
    const at = core.now();
    const row = { host, username, created_at: at, updated_at: at, checked_at: checkedAt };
    const inserted = insertRegistry(tx, row, projects, (one) => core.sealer.seal(password, passwordLocation(one)));
    core.store.trail.about({ target: host });
    return present(tx, inserted);
  });
}

/**
 * Changes registry credentials. With `check`, the registry must accept them first.
 * @throws DavitError not_found, and the errors of {@link addRegistry}
 */
export async function patchRegistry(
  core: RegistryCredentialsDeps,
  { actor }: OpContext,
  number: string | undefined,
  patch: RegistryPatch,
  check: boolean,
): Promise<Registry> {
  const before = found(core.store, actor, number);
  const { host } = before;
  const requestedProjects =
    patch.projects === undefined ? undefined : grantedProjects(core.store, actor, patch.projects);
  const username = patch.username ?? before.username;
  const password = patch.password ?? storedPassword(core, before);
  const checkedAt = check ? await checkNow(core, host, { username, password }) : null;
  return core.store.tx((tx) => {
    const now = found(tx, actor, number);
    demandSameProjects(tx, requestedProjects ?? null);
    const projects = requestedProjects === undefined ? projectsOfRegistry(now) : requestedProjects;
    refuseTaken(tx, { host, projects, except: now.id });
    const had = projectsOfRegistry(now) ?? [];
    refuseFull(tx, projects?.filter((one) => !had.includes(one)) ?? null);
    const all_projects = projects === null ? 1 : 0;
    /*
     * Save both the user name and the password that were checked. Another request may have changed the user name or the
     * password.
     */
    const isChanged = patch.username !== undefined || patch.password !== undefined;
    const after: RegistryRow = {
      ...{ ...now, username, all_projects, projects: projects && JSON.stringify(projects) },
      password: core.sealer.seal(password, passwordLocation({ ...now, all_projects })),
      ...(requestedProjects !== undefined && { updated_at: core.now() }),
      ...(isChanged && { updated_at: core.now(), checked_at: checkedAt }),
      ...(checkedAt !== null && { checked_at: checkedAt }),
    };
    changeRegistry(tx, after);
    return present(tx, after);
  });
}

/** @throws DavitError not_found if there are no registry credentials with this id, or the actor does not see them */
export function removeRegistry(core: RegistryCredentialsDeps, { actor }: OpContext, number: string | undefined): void {
  core.store.tx((tx) => deleteRegistry(tx, found(tx, actor, number).id));
}

/**
 * Returns whether the user can see all projects that use the credentials. An admin must not change the credentials of a
 * hidden project.
 */
function seesRegistry(actor: Actor, row: RegistryRow): boolean {
  return seesEach(actor, projectsOfRegistry(row));
}

/**
 * Returns the ids of the projects that may use the credentials, or `null` for all projects.
 * @throws DavitError forbidden if a user limited to some projects wants all; invalid_input for a hidden project
 */
function grantedProjects(db: Reader, actor: Actor, wish: readonly string[] | null): readonly number[] | null {
  if (wish !== null) return wantedProjects(db, actor.projects, wish);
  demandAllProjects(actor, 'save registry credentials for all projects');
  return null;
}

/**
 * Checks that the registry accepts the credentials.
 * @returns time in milliseconds since the epoch
 * @throws DavitError check_failed; EngineUnavailable
 */
async function checkNow({ engine, now }: RegistryCredentialsDeps, host: string, auth: RegistryAuth): Promise<number> {
  const deadline = AbortSignal.timeout(CHECK_MS);
  try {
    await engine.checkRegistry(host, auth, deadline);
    return now();
  } catch (cause) {
    const unchecked = 'To save the credentials without testing them, send check=false.';
    if (deadline.aborted)
      throw new DavitError('check_failed', `${host} did not respond within ${CHECK_MS / 1_000} s. ${unchecked}`, {
        cause,
      });
    if (!(cause instanceof EngineRefused)) throw cause;
    throw new DavitError('check_failed', `${sentence(cause.message)} ${unchecked}`, { cause });
  }
}

function storedPassword({ sealer }: RegistryCredentialsDeps, row: RegistryRow): string {
  return unsealed(
    () => openPassword(sealer, row),
    `The stored password for ${row.host} cannot be decrypted, because it was changed outside Davit. Set it again.`,
  );
}

/**
 * Refuses credentials for the instance's own registry. Davit pulls from this registry with the permissions of the app,
 * and not with the permissions of a user.
 */
function refuseOwn({ facts }: RegistryCredentialsDeps, host: string): void {
  if (!isOwnRegistryHost(facts, host)) return;
  throw invalidField(
    'host',
    'not_allowed',
    `${host} is the registry of this instance, which needs no stored credentials. Use it without credentials.`,
  );
}

function refuseMore(db: Reader, projects: readonly number[] | null): void {
  refuseFull(db, projects);
  if (listRows(db).length < MOST) return;
  throw new DavitError(
    'conflict',
    `The instance has credentials for ${MOST} registries, which is the limit. Remove some first.`,
  );
}

/**
 * Checks that no project exceeds its maximum number of registry credentials.
 * @param projects project ids, or `null` for credentials of all projects
 * @throws DavitError conflict at the maximum
 */
function refuseFull(db: Reader, projects: readonly number[] | null): void {
  const named = listRows(db).map((row) => projectsOfRegistry(row) ?? []);
  const countOf = (project: number) => named.filter((ids) => ids.includes(project)).length;
  if (!projects?.some((project) => countOf(project) >= MOST_OF_PROJECT)) return;
  const message = `The project has credentials for ${MOST_OF_PROJECT} registries, which is the limit. Remove some first.`;
  throw new DavitError('conflict', message);
}

interface CredentialsScope {
  host: string;
  /** Ids of the projects that use the credentials, or `null` for all projects. */
  projects: readonly number[] | null;
  /** Id of the credentials that are being changed. The field is absent for new credentials. */
  except?: number;
}

/** @throws DavitError conflict if there are other credentials for the same host and project */
function refuseTaken(db: Reader, { host, projects, except }: CredentialsScope): void {
  for (const project of projects ?? [null]) {
    const taken = registryFor(listRows(db), host, project);
    const isOther = taken !== undefined && taken.id !== except && taken.all_projects === (project === null ? 1 : 0);
    if (!isOther) continue;
    const of = project === null ? '' : ` in the project ${listProjects(db, [project])[0]?.slug}`;
    throw new DavitError(
      'conflict',
      `Credentials for ${host} already exist${of}. Change these credentials (ID ${taken.id}) instead.`,
    );
  }
}

function found(db: Reader, actor: Actor, number: string | undefined): RegistryRow {
  const row = byPathNumber(number, (id) => registryById(db, id));
  if (row === undefined || !seesRegistry(actor, row))
    throw new DavitError(
      'not_found',
      'There are no registry credentials with this ID. List the registry credentials to see their IDs.',
    );
  return row;
}

function present(db: Reader, row: RegistryRow): Registry {
  const { id, host, username, checked_at, created_at, updated_at } = row;
  const projects = projectsOfRegistry(row);
  return {
    id,
    host,
    projects: projects && listProjects(db, projects).map(({ slug }) => slug),
    username,
    checked_at: timestamp(checked_at),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
  };
}
