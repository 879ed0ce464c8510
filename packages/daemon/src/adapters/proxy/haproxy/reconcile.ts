/**
 * Computes the commands that change the running proxy to the desired state. Pure. The order of the commands matters:
 *
 * 1. `opening` adds the values of rules. Routes that are removed or moved lead to no backend, and other routes get
 *    their new rules. New servers are added, but get no requests.
 * 2. `finishing` runs for each backend when the proxy has judged its new servers. The new servers get requests, and the
 *    old servers get none. Unused servers are removed, and routes lead to the backend. While a new server does not
 *    respond, the old servers continue to serve.
 * 3. `closing` removes the values that no route uses any more.
 *
 * A route never leads to a server of another app, even if a slot moves to another app. Such a route first leads to no
 * backend and to the new app last. The entry for no backend must exist, because without an entry the path would lead to
 * the app of its host.
 */
import { serverArguments } from './config.ts';
import type { Desired, DesiredBackend } from './desired.ts';
import { CHALLENGES_MAP, isSlot, ROUTES_MAP, RULES_MAP } from './names.ts';
import type { Running, RunningServer } from './running.ts';

/** Backend of a route that leads nowhere. */
const NOWHERE = 'none';

/** Returns the commands of the first step. @param slots number of backends of the running proxy */
export function opening(desired: Desired, running: Running, slots: number): string[] {
  return [
    ...entries(RULES_MAP, running.rules, desired.rules),
    ...entries(CHALLENGES_MAP, running.challenges, desired.challenges),
    ...[...running.challenges.keys()]
      .filter((token) => !desired.challenges.has(token))
      .map((token) => `del map ${CHALLENGES_MAP} ${token}`),
    ...[...running.routes].flatMap(([key, value]) => rerouting(key, value, desired)),
    ...present(desired, slots).flatMap((backend) => additions(backend, running.servers.get(backend.name) ?? [])),
  ];
}

/** Returns the commands that add or change entries of a map. */
function entries(map: string, running: Map<string, string>, desired: Map<string, string>): string[] {
  return [...desired].flatMap(([key, value]) => {
    const now = running.get(key);
    if (now === value) return [];
    return [`${now === undefined ? 'add' : 'set'} map ${map} ${key} ${value}`];
  });
}

function rerouting(key: string, value: string, { routes }: Desired): string[] {
  const wanted = routes.get(key);
  if (wanted === undefined) return [`del map ${ROUTES_MAP} ${key}`];
  if (value === wanted.value || value === NOWHERE) return [];
  const next = value.split('|')[0] === wanted.backend ? wanted.value : NOWHERE;
  return [`set map ${ROUTES_MAP} ${key} ${next}`];
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
        // The server is checked but gets no requests, because a server must be up before its first request.
        `set server ${path} state drain`,
      ];
    });
}

/** Verdict about an active server of a backend. */
export type Verdict = { server: string } & ({ state: 'up' } | { state: 'waiting' } | { state: 'down' });

/**
 * Judges the active servers of a backend.
 * @param patient returns whether a server may still come up, because it is new and its time is not over
 */
export function judgeServers(
  backend: DesiredBackend,
  running: RunningServer[],
  patient: (server: string) => boolean,
): Verdict[] {
  return backend.servers
    .filter(({ active }) => active)
    .map(({ name: server, endpoint }) => {
      const found = running.find(({ name }) => name === server);
      // A server's name belongs to one address. A server with this name at another address is not the desired server.
      if (found === undefined || found.endpoint !== endpoint) return { server, state: 'down' };
      if (found.sight === 'up') return { server, state: 'up' };
      return { server, state: patient(server) ? 'waiting' : 'down' };
    });
}

/**
 * Returns the commands that finish a backend.
 * @param verdicts verdicts about all active servers of the backend
 * @param routes routes that do not lead to the backend yet
 */
export function finishing(
  backend: DesiredBackend,
  running: RunningServer[],
  verdicts: Verdict[],
  routes: MissingRoute[],
): string[] {
  return [
    ...switching(backend, running, verdicts),
    ...removals(backend.name, running, backend),
    ...routes.map(({ key, value, command }) => `${command} map ${ROUTES_MAP} ${key} ${value}`),
  ];
}

function switching(backend: DesiredBackend, running: RunningServer[], verdicts: Verdict[]): string[] {
  const path = (name: string) => `${backend.name}/${name}`;
  const admin = (name: string) => running.find((server) => server.name === name)?.admin;
  const old = backend.servers.filter(({ name, active }) => !active && admin(name) === 'ready');
  const allUp = verdicts.every(({ state }) => state === 'up');
  // If not all new servers are up, the old servers continue to serve, if there are any.
  const taking = allUp || old.length === 0 ? verdicts.filter(({ state }) => state === 'up') : [];
  return [
    ...taking
      .filter(({ server }) => admin(server) !== 'ready')
      .map(({ server }) => `set server ${path(server)} state ready`),
    ...(allUp ? old.map(({ name }) => `set server ${path(name)} state drain`) : []),
  ];
}

/** Returns the commands that remove servers of slots without an app. Other backends of the file are not changed. */
export function leftovers(desired: Desired, running: Running): string[] {
  return [...running.servers].flatMap(([backend, servers]) =>
    desired.backends.has(backend) || !isSlot(backend) ? [] : removals(backend, servers, null),
  );
}

/**
 * Returns the commands that remove servers that are not in the table. The proxy refuses to remove a server with open
 * connections, so a later pass removes such a server.
 */
function removals(backend: string, running: RunningServer[], desired: DesiredBackend | null): string[] {
  return running
    .filter(({ name }) => !desired?.servers.some((server) => server.name === name))
    .flatMap(({ name, admin }) => [
      ...(admin === 'maint' ? [] : [`set server ${backend}/${name} state maint`]),
      `del server ${backend}/${name}`,
    ]);
}

/** Returns the commands that remove entries of unused rules. */
export function closing(desired: Desired, running: Running): string[] {
  return [...running.rules.keys()].filter((key) => !desired.rules.has(key)).map((key) => `del map ${RULES_MAP} ${key}`);
}

export interface MissingRoute {
  key: string;
  value: string;
  command: 'add' | 'set';
}

/** Returns the routes that do not lead to their backend yet, by backend. */
export function missingRoutes(desired: Desired, running: Running): Map<string, MissingRoute[]> {
  const missing = new Map<string, MissingRoute[]>();
  for (const [key, { backend, value }] of desired.routes) {
    const now = running.routes.get(key);
    if (now?.split('|')[0] === backend) continue;
    const route: MissingRoute = { key, value, command: now === undefined ? 'add' : 'set' };
    missing.set(backend, [...(missing.get(backend) ?? []), route]);
  }
  return missing;
}

/** Returns the desired backends that the running proxy has. More backends require a reload. */
export function present(desired: Desired, slots: number): DesiredBackend[] {
  return [...desired.backends.values()].filter(({ slot }) => slot <= slots);
}
