import {
  DavitError,
  type Me,
  type Role,
  takenField,
  timestamp,
  type User,
  type UserCreate,
  type UserPatch,
  type UserWithPassword,
} from '@davit/api';
import { projectIds } from '../../auth/actor.ts';
import { type Actor, isRestricted, type OpContext } from '../../auth/context.ts';
import { demandSameProjects, wantedProjects } from '../../auth/own-keys.ts';
import { newAccountPassword } from '../../auth/passwords.ts';
import { seesUser } from '../../authorization/lookup.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { deleteGrantsOfUser } from '../../db/tables/oauth.ts';
import { listProjects } from '../../db/tables/project.ts';
import { deleteSessionsOfUser } from '../../db/tables/session.ts';
import {
  changePasswordHash,
  deleteUser as deleteUserRow,
  hasOtherAdmin,
  insertUser,
  listUsers as listUserRows,
  setUserBlocked,
  setUserRights,
  type UserRow,
  userById,
  userByName,
} from '../../db/tables/user.ts';
import { mapPage, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import type { UsersDeps } from './deps.ts';
import { demandNotOwnAccount } from './own-account.ts';

/** Returns the user who sends the request, with the permissions of the API key or session. */
export function readMe({ store }: UsersDeps, { actor }: OpContext): Me {
  const { username, role, projects, credential } = actor;
  const key = credential?.kind === 'key' ? credential : null;
  return {
    username,
    role,
    projects: slugs(store, projects),
    credential: credential?.kind ?? 'local',
    key: key && { id: key.id, name: key.name, expires_at: timestamp(key.expiresAt) },
  };
}

/** Returns the users whom the requesting user may see, sorted by name. */
export function listUsers({ store }: UsersDeps, { actor }: OpContext, query: PageQuery = {}): Page<User> {
  const rows = listUserRows(store).filter((user) => seesUser(actor, user));
  return mapPage(
    pageOf(rows, (user) => user.username, query),
    (user) => present(store, user),
  );
}

export function readUser({ store }: UsersDeps, _ctx: OpContext, user: UserRow): User {
  return present(store, user);
}

/**
 * Creates a user with at most the permissions of the creator.
 * @throws DavitError conflict if the name is taken, invalid_input, forbidden, too_many_requests
 */
export async function createUser(core: UsersDeps, { actor }: OpContext, input: UserCreate): Promise<UserWithPassword> {
  const { store, passwords, now } = core;
  demandUnrestricted(actor);
  const projects = grantedProjects(store, actor, input.projects);
  if (userByName(store, input.username)) throw taken(input.username);
  const password = input.password ?? newAccountPassword();
  const passwordHash = await passwords.hash(password, { source: actor.username, known: true });
  const { username, role } = input;
  const user = store.tx((tx) => {
    demandSameProjects(tx, projects);
    if (userByName(tx, username)) throw taken(username);
    store.trail.about({ target: username });
    return currentUser(tx, insertUser(tx, { username, passwordHash, role, projects, at: now() }));
  });
  return { ...present(store, user), ...(input.password === undefined && { password }) };
}

/**
 * Changes or blocks a user, or sets a password. A new password ends sessions and clients of the user, but not API keys.
 * @throws DavitError conflict, invalid_input, forbidden, too_many_requests
 */
export async function patchUser(
  core: UsersDeps,
  ctx: OpContext,
  user: UserRow,
  patch: UserPatch,
): Promise<UserWithPassword> {
  const { store, now } = core;
  const { actor } = ctx;
  demandNotOwnAccount(ctx, user);
  const grants = patch.role !== undefined || patch.projects !== undefined || patch.blocked === false;
  if (grants || resetsPassword(patch)) demandUnrestricted(actor);
  const requestedProjects = patch.projects === undefined ? undefined : grantedProjects(store, actor, patch.projects);
  const reset = await newHash(core, actor, user, patch);
  const changed = store.tx((tx) => {
    // Read the user's row again. Another request may have changed the user or removed the admin's access.
    const current = currentUser(tx, user.id);
    if (!seesUser(actor, current)) throw noSuchUser();
    demandSameProjects(tx, requestedProjects ?? null);
    const role = patch.role ?? current.role;
    const projects = requestedProjects === undefined ? projectIds(current.projects) : requestedProjects;
    const blocked = patch.blocked ?? current.blocked === 1;
    demandAnAdmin(tx, current, { role, projects, blocked });
    setUserRights(tx, current.id, role, projects, now());
    setUserBlocked(tx, current.id, blocked);
    if (reset) changePasswordHash(tx, current.id, reset.hash, now());
    if (reset || blocked) {
      deleteSessionsOfUser(tx, current.id);
      deleteGrantsOfUser(tx, current.id);
    }
    return currentUser(tx, current.id);
  });
  return { ...present(store, changed), ...(reset?.generated && { password: reset.generated }) };
}

/**
 * Deletes a user.
 * @throws DavitError conflict for the last admin
 */
export function deleteUser({ store }: UsersDeps, ctx: OpContext, user: UserRow): void {
  demandNotOwnAccount(ctx, user);
  store.tx((tx) => {
    demandAnAdmin(tx, currentUser(tx, user.id), null);
    deleteUserRow(tx, user.id);
  });
}

function present(db: Reader, user: UserRow): User {
  return {
    username: user.username,
    role: user.role,
    projects: slugs(db, projectIds(user.projects)),
    blocked: user.blocked === 1,
    created_at: timestamp(user.created_at),
    last_seen_at: timestamp(user.seen_at),
  };
}

function slugs(db: Reader, projects: readonly number[] | null): string[] | null {
  return projects === null ? null : listProjects(db, projects).map(({ slug }) => slug);
}

/**
 * Returns the ids of the projects to which a user gets access, or `null` for all projects.
 * @throws DavitError forbidden if an admin with limited access grants all projects; invalid_input for a project that
 * the admin cannot see
 */
function grantedProjects(db: Reader, actor: Actor, wish: readonly string[] | null): readonly number[] | null {
  if (wish !== null) return wantedProjects(db, actor.projects, wish);
  if (actor.projects === null) return null;
  throw new DavitError(
    'forbidden',
    'Your access is limited to certain projects, so the access of this user must be limited too. Choose the projects that the user can access.',
  );
}

/**
 * Prevents a restricted API key from setting permissions or passwords of users. Such changes would remain after the API
 * key is revoked.
 * @throws DavitError forbidden
 */
function demandUnrestricted({ credential }: Actor): void {
  if (credential === undefined || !isRestricted(credential)) return;
  const message =
    'A restricted API key cannot create users, or change the permissions or passwords of users. Sign in, or use an API key without restrictions.';
  throw new DavitError('forbidden', message);
}

const resetsPassword = ({ password, reset_password }: UserPatch) => password !== undefined || reset_password === true;

/**
 * Returns the hash of the new password, or `undefined` if the request sets no password.
 * @throws DavitError conflict if users change their own password
 */
async function newHash({ passwords }: UsersDeps, actor: Actor, user: UserRow, patch: UserPatch) {
  if (!resetsPassword(patch)) return undefined;
  if (user.id === actor.userId) {
    throw new DavitError(
      'conflict',
      'This request cannot change your own password. Use PUT /api/users/me/password, which requires the current password.',
    );
  }
  const generated = patch.password === undefined ? newAccountPassword() : undefined;
  const text = patch.password ?? generated ?? '';
  return { hash: await passwords.hash(text, { source: actor.username, known: true }), generated };
}

interface Rights {
  role: Role;
  projects: readonly number[] | null;
  blocked: boolean;
}

/**
 * Checks that at least one admin of all projects remains after a change.
 * @param next permissions after the change, or `null` for a deletion
 * @throws DavitError conflict
 */
function demandAnAdmin(tx: Tx, user: UserRow, next: Rights | null): void {
  if (next !== null && next.role === 'admin' && next.projects === null && !next.blocked) return;
  if (user.role !== 'admin' || user.projects !== null || user.blocked === 1 || hasOtherAdmin(tx, user.id)) return;
  throw new DavitError(
    'conflict',
    `${user.username} is the last admin with access to all projects. Create another admin first.`,
  );
}

/** @throws DavitError not_found if the user was deleted meanwhile */
function currentUser(db: Reader, id: number): UserRow {
  const user = userById(db, id);
  if (user === undefined) throw noSuchUser();
  return user;
}

function noSuchUser(): DavitError {
  return new DavitError(
    'not_found',
    'This user does not exist, or you are not allowed to see this user. Check the user name.',
  );
}

function taken(username: string): DavitError {
  return takenField('username', `A user with the name ${username} already exists. Choose another name.`);
}
