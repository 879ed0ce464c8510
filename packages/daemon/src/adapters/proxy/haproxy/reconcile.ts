/**
 * Computes the HAProxy runtime commands that bring the running HAProxy to the desired state. Pure functions. The order
 * of the commands matters:
 *
 *
 * 1. `opening` adds map entries of rules and new servers, which get no requests yet. A removed route is deleted. A
 * route that moves to another app gets the backend `none`. A route that keeps its backend gets its new rules.
 * 2. `finishing` runs for each backend after the health checks of its new servers. The new servers start to get
 * requests, and the old servers stop. Servers that are not in the route table are removed, and missing routes to the
 * backend are added. If a new server is not up, the old servers continue to serve.
 * 3. `closing` deletes map entries of rules that no route uses any more.
 *
 * A route must never lead to a server of another app, even if a new app reuses the backend. A route that moves to
 * another app therefore gets the backend `none` first. It is not deleted, because requests for its path would then go
 * to the app that serves the rest of the host.
 */
import { serverArguments } from './config.ts';
import type { Desired, DesiredBackend } from './desired.ts';
import { CHALLENGES_MAP, isSlot, ROUTES_MAP, RULES_MAP } from './names.ts';
import type { Running, RunningServer } from './running.ts';

/**
 * Value in HAProxy's route map for a route without a backend. If a request matches this route, HAProxy responds with
 * status 404.
 */
const NOWHERE = 'none';

/**
 * Returns the first HAProxy commands of an update. They add new servers and new map entries.
 * @param slots number of app backends in the running HAProxy
 */
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

/** Returns the HAProxy commands that add or change entries of an HAProxy map. */
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
        // In the state `drain`, HAProxy checks the health of the new server, but does not send requests to it yet.
        `set server ${path} state drain`,
      ];
    });
}

/**
 * State of an active server in HAProxy. `waiting` means that the server is not up yet, but Davit still waits for the
 * server.
 */
export type Verdict = { server: string } & ({ state: 'up' } | { state: 'waiting' } | { state: 'down' });

/**
 * Checks which active servers of an HAProxy backend are up.
 * @param patient function that returns whether to wait longer for a server that is not up yet
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
      // A server with the right name but another address is not the desired server. Servers never change their address.
      if (found === undefined || found.endpoint !== endpoint) return { server, state: 'down' };
      if (found.sight === 'up') return { server, state: 'up' };
      return { server, state: patient(server) ? 'waiting' : 'down' };
    });
}

/**
 * Returns the HAProxy commands that switch a backend from its old servers to its new servers.
 * @param verdicts state of each active server of the backend: `up`, `down` or `waiting`
 * @param routes routes to this backend that HAProxy does not have yet
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
  // If the backend has old servers, the old servers get all requests until every new server is up.
  // If the backend has no old servers, each new server that is up gets requests.
  const taking = allUp || old.length === 0 ? verdicts.filter(({ state }) => state === 'up') : [];
  return [
    ...taking
      .filter(({ server }) => admin(server) !== 'ready')
      .map(({ server }) => `set server ${path(server)} state ready`),
    ...(allUp ? old.map(({ name }) => `set server ${path(name)} state drain`) : []),
  ];
}

/**
 * Returns the HAProxy commands that remove the servers of deleted apps. The API and registry backends are not changed.
 */
export function leftovers(desired: Desired, running: Running): string[] {
  return [...running.servers].flatMap(([backend, servers]) =>
    desired.backends.has(backend) || !isSlot(backend) ? [] : removals(backend, servers, null),
  );
}

/**
 * Returns the HAProxy commands that remove servers that are not in the route table. HAProxy does not remove a server
 * with open connections. The next sync then tries again.
 */
function removals(backend: string, running: RunningServer[], desired: DesiredBackend | null): string[] {
  return running
    .filter(({ name }) => !desired?.servers.some((server) => server.name === name))
    .flatMap(({ name, admin }) => [
      ...(admin === 'maint' ? [] : [`set server ${backend}/${name} state maint`]),
      `del server ${backend}/${name}`,
    ]);
}

/**
 * Returns the HAProxy commands that delete unused rules of hosts. They are sent as the last step of an update, because
 * routes can use the old rules until then.
 */
export function closing(desired: Desired, running: Running): string[] {
  return [...running.rules.keys()].filter((key) => !desired.rules.has(key)).map((key) => `del map ${RULES_MAP} ${key}`);
}

export interface MissingRoute {
  key: string;
  value: string;
  command: 'add' | 'set';
}

/**
 * Returns the routes that are missing in HAProxy or that have the wrong backend there. The result is a map from the
 * name of the correct backend to its routes.
 */
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

/**
 * Returns the desired backends that already exist in the running HAProxy. Other backends need a reload of HAProxy.
 * @param slots number of backends that the running HAProxy has
 */
export function present(desired: Desired, slots: number): DesiredBackend[] {
  return [...desired.backends.values()].filter(({ slot }) => slot <= slots);
}
