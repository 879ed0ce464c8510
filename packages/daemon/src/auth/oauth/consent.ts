/**
 * Gives an OAuth client access for a user, or rejects the client. The user decides on the consent page. Also lists and
 * removes the connected clients of a user.
 */
import {
  type Authorization,
  type Connection,
  type Consent,
  type Consented,
  DavitError,
  narrower,
  ROLES,
  timestamp,
} from '@davit/api';
import type { Reader, Store } from '../../db/store.ts';
import { deleteGrant, type GrantRow, grantsOfUser } from '../../db/tables/oauth.ts';
import { listProjects } from '../../db/tables/project.ts';
import { ownAccount } from '../accounts.ts';
import type { Caller } from '../actor.ts';
import { isRestricted } from '../context.ts';
import { wantedProjects } from '../own-keys.ts';
import type { ClientDocuments } from './client-document.ts';
import { isLoopback } from './client-document.ts';
import { answerAt, readRequest } from './request.ts';
import { projectsOf, roleOf } from './rights.ts';
import { grantAccess, type TokenParts } from './tokens.ts';

export interface ConsentParts extends TokenParts {
  documents: ClientDocuments;
}

const MOST = 100;

/**
 * Returns the client and the requested permissions, for the consent page.
 * @param base base URL of the request
 * @throws DavitError invalid_input, conflict, forbidden without a session
 */
export async function reviewAuthorization(
  { store, documents }: ConsentParts,
  caller: Caller,
  query: string,
  base: string,
): Promise<Authorization> {
  demandPerson(store, caller);
  const { client, redirectUri, role } = await readRequest(query, base, documents);
  const { actor } = caller;
  const target = new URL(redirectUri);
  return {
    client: { id: client.id, name: client.name, host: new URL(client.id).host },
    redirect_host: target.host,
    on_this_machine: isLoopback(target),
    role,
    roles: ROLES.filter((one) => narrower(one, actor.role) === one),
    projects: listProjects(store, actor.projects).map(({ slug }) => slug),
  };
}

/**
 * Applies the decision of the user on the consent page. Returns the redirect.
 * @throws DavitError invalid_input, conflict, forbidden for too many permissions or without a session
 */
export async function decideConsent(
  parts: ConsentParts,
  caller: Caller,
  consent: Consent,
  base: string,
): Promise<Consented> {
  const user = demandPerson(parts.store, caller);
  const request = await readRequest(consent.request, base, parts.documents);
  if (!consent.allow) return { redirect_to: answerAt(request, base, { error: 'access_denied' }) };
  const { actor } = caller;
  if (narrower(consent.role, actor.role) !== consent.role) {
    throw new DavitError(
      'forbidden',
      `You cannot give a client the role ${consent.role}, because your role is ${actor.role}. Choose a lower role.`,
    );
  }
  if (grantsOfUser(parts.store, user.id, parts.now()).length >= MOST) {
    throw new DavitError(
      'conflict',
      `You have ${MOST} connected clients, which is the limit. Disconnect a client that you do not use.`,
    );
  }
  const projects =
    consent.projects === null ? actor.projects : wantedProjects(parts.store, actor.projects, consent.projects);
  const code = grantAccess(parts, request, { userId: user.id, role: consent.role, projects });
  return { redirect_to: answerAt(request, base, { code }) };
}

/**
 * Returns the caller's connected clients, oldest first.
 * @throws DavitError forbidden for a restricted API key, conflict without an account
 */
export function listConnections({ store, now }: TokenParts, caller: Caller): Connection[] {
  return connectionsOf(store, demandOwner(store, caller).id, now());
}

/** Returns the connected clients of a user, oldest first. */
export function connectionsOf(db: Reader, userId: number, at: number): Connection[] {
  return grantsOfUser(db, userId, at).map((grant) => present(db, grant));
}

/**
 * Disconnects an OAuth client of the caller. The next request of this client is rejected.
 * @throws DavitError not_found, forbidden, conflict
 */
export function endConnection({ store, now }: TokenParts, caller: Caller, id: number | undefined): void {
  const user = demandOwner(store, caller);
  const found = grantsOfUser(store, user.id, now()).find((grant) => grant.id === id);
  if (!found)
    throw new DavitError(
      'not_found',
      'Your account has no connected OAuth client with this ID. List your connected clients to see their IDs.',
    );
  store.tx((tx) => deleteGrant(tx, found.id));
}

/**
 * Checks that the caller has a browser session. A program with an API key must not give clients access to the account.
 */
function demandPerson(store: Store, caller: Caller) {
  const user = ownAccount(store, caller);
  if (caller.credential.kind === 'session') return user;
  throw new DavitError(
    'forbidden',
    'Clients, such as AI assistants, can be connected only in the dashboard. Sign in to the dashboard and try again.',
  );
}

/** Checks that the caller may manage connected clients. Restricted API keys and connected clients may not do this. */
function demandOwner(store: Store, caller: Caller) {
  const user = ownAccount(store, caller);
  if (!isRestricted(caller.credential)) return user;
  throw new DavitError(
    'forbidden',
    'A restricted API key cannot manage connected clients, such as AI assistants. Sign in, or use an API key without restrictions.',
  );
}

function present(db: Reader, grant: GrantRow): Connection {
  const projects = projectsOf(grant);
  return {
    id: grant.id,
    client_id: grant.client_id,
    client_name: grant.client_name,
    role: roleOf(grant),
    projects: projects === null ? null : listProjects(db, projects).map(({ slug }) => slug),
    created_at: timestamp(grant.created_at),
    last_used_at: timestamp(grant.used_at),
    expires_at: timestamp(grant.expires_at),
  };
}
