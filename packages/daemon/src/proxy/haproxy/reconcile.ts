/**
 * From what the proxy should have and what it has to the commands between them. Pure; the order is the point:
 *
 * 1. `opening`: hosts that go or move lose their entry, new servers come in without taking requests.
 * 2. `finishing`, for each backend when the proxy has seen its new servers answer: they take requests, the old ones no
 *    more; servers that nobody wants any more go; hosts get their entries. While a new server does not answer, the old
 *    ones serve on.
 *
 * A host never leads to a server of another app, even when a slot changes hands: entries go first and come last.
 */
import { HOSTS_MAP, serverArguments } from './config.ts';
import { type Desired, type DesiredBackend, isSlot } from './desired.ts';
import type { Running, RunningServer } from './running.ts';

/** @param slots the number of backends that the running proxy has */
export function opening(desired: Desired, running: Running, slots: number): string[] {
  const hosts = [...running.hosts].filter(([host, backend]) => desired.hosts.get(host) !== backend);
  return [
    ...hosts.map(([host]) => `del map ${HOSTS_MAP} ${host}`),
    ...present(desired, slots).flatMap((backend) => additions(backend, running.servers.get(backend.name) ?? [])),
  ];
}

function additions(backend: DesiredBackend, running: RunningServer[]): string[] {
  return backend.servers
    .filter(({ active }) => active)
    .flatMap(({ name, endpoint }) => {
      const path = `${backend.name}/${name}`;
      const admin = running.find((server) => server.name === name)?.admin;
      if (admin === 'ready' || admin === 'drain') return [];
      const add = `add server ${path} ${endpoint} ${serverArguments(backend.protocol, backend.checked)}`.trimEnd();
      return [
        ...(admin === undefined ? [add] : []),
        ...(backend.checked ? [`enable health ${path}`] : []),
        // Checked, but not used: a server is proven before the first request.
        `set server ${path} state drain`,
      ];
    });
}

/** What is known of an active server of a backend. */
export type Verdict = { server: string } & ({ state: 'up' } | { state: 'waiting' } | { state: 'down' });

/**
 * @param patient whether the server may still come up: it is new and its time is not over
 */
export function judge(
  backend: DesiredBackend,
  running: RunningServer[],
  patient: (server: string) => boolean,
): Verdict[] {
  return backend.servers
    .filter(({ active }) => active)
    .map(({ name: server, endpoint }) => {
      const found = running.find(({ name }) => name === server);
      // A name is for one address; one that the proxy has for another is not the server that was asked for.
      if (found === undefined || found.endpoint !== endpoint) return { server, state: 'down' };
      if (found.sight === 'up') return { server, state: 'up' };
      return { server, state: patient(server) ? 'waiting' : 'down' };
    });
}

/**
 * @param verdicts of every active server of the backend
 * @param hosts that lead to the backend and have no entry yet
 */
export function finishing(
  backend: DesiredBackend,
  running: RunningServer[],
  verdicts: Verdict[],
  hosts: string[],
): string[] {
  return [
    ...switching(backend, running, verdicts),
    ...removals(backend.name, running, backend),
    ...hosts.map((host) => `add map ${HOSTS_MAP} ${host} ${backend.name}`),
  ];
}

function switching(backend: DesiredBackend, running: RunningServer[], verdicts: Verdict[]): string[] {
  const path = (name: string) => `${backend.name}/${name}`;
  const admin = (name: string) => running.find((server) => server.name === name)?.admin;
  const old = backend.servers.filter(({ name, active }) => !active && admin(name) === 'ready');
  const allUp = verdicts.every(({ state }) => state === 'up');
  // New servers that cannot all serve leave the work to the old ones, if there are any.
  const taking = allUp || old.length === 0 ? verdicts.filter(({ state }) => state === 'up') : [];
  return [
    ...taking
      .filter(({ server }) => admin(server) !== 'ready')
      .map(({ server }) => `set server ${path(server)} state ready`),
    ...(allUp ? old.map(({ name }) => `set server ${path(name)} state drain`) : []),
  ];
}

/** Of slots that have no app any more; what else is in the file is not ours to remove. */
export function leftovers(desired: Desired, running: Running): string[] {
  return [...running.servers].flatMap(([backend, servers]) =>
    desired.backends.has(backend) || !isSlot(backend) ? [] : removals(backend, servers, null),
  );
}

/** Servers that are in no table any more. The proxy refuses to remove one that has connections: a later pass does. */
function removals(backend: string, running: RunningServer[], desired: DesiredBackend | null): string[] {
  return running
    .filter(({ name }) => !desired?.servers.some((server) => server.name === name))
    .flatMap(({ name, admin }) => [
      ...(admin === 'maint' ? [] : [`set server ${backend}/${name} state maint`]),
      `del server ${backend}/${name}`,
    ]);
}

/** Hosts without their entry, by backend. */
export function missingHosts(desired: Desired, running: Running): Map<string, string[]> {
  const missing = new Map<string, string[]>();
  for (const [host, backend] of desired.hosts) {
    if (running.hosts.get(host) !== backend) missing.set(backend, [...(missing.get(backend) ?? []), host]);
  }
  return missing;
}

/** Backends that the running proxy has: it cannot be given more without a reload. */
export function present(desired: Desired, slots: number): DesiredBackend[] {
  return [...desired.backends.values()].filter(({ slot }) => slot <= slots);
}
