/** What tests of the registry's own protocol need: credentials, tokens as they are read, and what the registry tells. */
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

/** Asks for a token; `query` is sent as it is. */
export function askToken(daemon: TestDaemon, query: string, authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization };
  return daemon.send({ path: `/v2/token${query}`, headers });
}

/** What a token lets its bearer do; nothing for an answer without one. */
export function accessIn({ status, text }: { status: number; text: string }): Access[] {
  if (status !== 200) return [];
  const { token } = JSON.parse(text) as { token: string };
  const [, claims = ''] = token.split('.');
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { access: Access[] }).access;
}

/** The number of an app, which the API does not show. */
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

/** An event as Distribution 2.8 writes it; without a digest it tells of whatever the tag names. */
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

/** An account that may push everywhere, unless there is one of the name. */
export function addAccount({ core: { store, now } }: TestDaemon, username: string): void {
  if (userByName(store, username) !== undefined) return;
  const rights = { role: 'member', projects: null, passwordHash: 'none' } as const;
  store.tx((tx) => insertUser(tx, { username, ...rights, at: now() }));
}

/** Tells the daemon something as its registry does. */
export function tell(daemon: TestDaemon, body: string | Buffer, secret = daemon.core.registryKeys.hookSecret()) {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/vnd.docker.distribution.events.v1+json',
  };
  return daemon.send({ method: 'POST', path: '/hooks/registry', headers, body });
}

/** What a push with an account's password is told with: the subject of its token. */
export function letPush({ core: { store, now } }: TestDaemon, username: string, repository: string): string {
  const userId = userByName(store, username)?.id ?? 0;
  const grant = { userId, username, keyId: null, expiresAt: null, repositories: [repository], at: now() };
  return pushSubject(store.tx((tx) => recordPushGrant(tx, grant)));
}

/** Tells of pushes by accounts that may push everywhere; those that there are already keep their rights. */
export function tellPush(daemon: TestDaemon, ...events: PushEvent[]) {
  const told = events.map(({ by = 'ada', ...event }) => {
    addAccount(daemon, by);
    return pushEvent({ ...event, by: letPush(daemon, by, event.repository) });
  });
  return tell(daemon, JSON.stringify({ events: told }));
}
