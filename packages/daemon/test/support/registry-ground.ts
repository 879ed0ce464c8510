/** What tests of the registry's own protocol need: credentials, tokens as they are read, and what the registry tells. */
import type { TestDaemon } from '@davit/testkit';

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

/** Tells the daemon something as its registry does. */
export function tell(daemon: TestDaemon, body: string | Buffer, secret = daemon.core.registryKeys.hookSecret()) {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/vnd.docker.distribution.events.v1+json',
  };
  return daemon.send({ method: 'POST', path: '/hooks/registry', headers, body });
}

export function tellPush(daemon: TestDaemon, ...events: PushEvent[]) {
  return tell(daemon, JSON.stringify({ events: events.map(pushEvent) }));
}
