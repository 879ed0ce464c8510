/** Helpers for tests of the registry protocol: credentials, decoded tokens, and notifications of the registry. */
import type { TestDaemon } from '@davit/testkit';
import { pushSubject } from '../../src/auth/registry-keys.ts';
import { appBySlugs } from '../../src/db/tables/app.ts';
import { recordPushGrant } from '../../src/db/tables/push-credential.ts';
import { insertUser, userByName } from '../../src/db/tables/user.ts';

export interface Access {
  type: string;
  name: string;
  actions: string[];
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Requests a token. `query` is sent unchanged. */
export function requestToken(daemon: TestDaemon, query: string, authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization };
  return daemon.send({ path: `/v2/token${query}`, headers });
}

/** Returns the access rights in a token, or an empty array for a response without a token. */
export function accessIn({ status, text }: { status: number; text: string }): Access[] {
  if (status !== 200) return [];
  const { token } = JSON.parse(text) as { token: string };
  const [, claims = ''] = token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { access: Access[] }).access;
}

/** Returns the number of an app, which the API does not show. */
export function appIdOf(daemon: TestDaemon, reference: string): number {
  const [project = '', environment = '', name = ''] = reference.split('/');
  const row = appBySlugs(daemon.core.store, project, environment, name);
  if (row === undefined) throw new Error(`there is no app ${reference}`);
  return row.id;
}

export interface PushEvent {
  repository: string;
  tag?: string;
  action?: string;
  by?: string;
  at?: string;
  digest?: string;
}

/**
 * Returns an event in the format of Distribution 2.8. Without a digest, the event means the present image of the tag.
 */
export function pushEvent({ repository, tag, action = 'push', by = 'ada', at, digest }: PushEvent) {
  return {
    id: crypto.randomUUID(),
    timestamp: at ?? new Date().toISOString(),
    action,
    target: {
      mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
      size: 943,
      ...(digest !== undefined && { digest }),
      length: 943,
      repository,
      url: `http://localhost:5000/v2/${repository}/manifests/${digest ?? tag}`,
      ...(tag !== undefined && { tag }),
    },
    request: { id: crypto.randomUUID(), addr: '127.0.0.1:1', host: 'localhost:5000', method: 'PUT', useragent: 'test' },
    actor: { name: by },
    source: { addr: 'host:5000', instanceID: crypto.randomUUID() },
  };
}

/** Adds a user who may push everywhere, unless the username exists. */
export function addAccount({ core: { store, now } }: TestDaemon, username: string): void {
  if (userByName(store, username) !== undefined) return;
  const rights = { role: 'member', projects: null, passwordHash: 'none' } as const;
  store.tx((tx) => insertUser(tx, { username, ...rights, at: now() }));
}

/** Sends a notification to the daemon like its registry. */
export function sendNotification(
  daemon: TestDaemon,
  body: string | Buffer,
  secret = daemon.core.registryKeys.hookSecret(),
) {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/vnd.docker.distribution.events.v1+json',
  };
  return daemon.send({ method: 'POST', path: '/hooks/registry', headers, body });
}

/**
 * Records a push grant for a user's password.
 * @returns the subject of its token, which the notification of a push contains
 */
export function letPush({ core: { store, now } }: TestDaemon, username: string, repository: string): string {
  const userId = userByName(store, username)?.id ?? 0;
  const grant = { userId, username, keyId: null, expiresAt: null, repositories: [repository], at: now() };
  return pushSubject(store.tx((tx) => recordPushGrant(tx, grant)));
}

/** Sends notifications of pushes by users who may push everywhere. Existing users keep their rights. */
export function notifyPush(daemon: TestDaemon, ...events: PushEvent[]) {
  const pushEvents = events.map(({ by = 'ada', ...event }) => {
    addAccount(daemon, by);
    return pushEvent({ ...event, by: letPush(daemon, by, event.repository) });
  });
  return sendNotification(daemon, JSON.stringify({ events: pushEvents }));
}
