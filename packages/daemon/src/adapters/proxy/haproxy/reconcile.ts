/**
 * Pure functions that create the commands to bring the running HAProxy to the desired state. The order is `opening`,
 * then `finishing` for each backend, then `closing`.
 */
import { serverArguments } from './config.ts';
import type { Desired, DesiredBackend } from './desired.ts';
import { CHALLENGES_MAP, isSlot, ROUTES_MAP, RULES_MAP } from './names.ts';
import type { Running, RunningServer } from './running.ts';

/**
 * Value in HAProxy's route map that leads to status 404. A route that moves to another backend gets this value first.
 * Otherwise, requests could reach the servers of another app during the update.
 */
const NOWHERE = 'none';

/**
 * Returns the first commands of an HAProxy update. The commands add map entries and new servers. The new servers
 * receive no requests yet.
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

/**
 * Returns the command that changes or deletes one route in HAProxy's route map. A route that moves to another backend
 * is not deleted. Otherwise, HAProxy would use another route of the same host.
 */
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
 * State of an active server in HAProxy. `waiting` means that the server is not up yet, but Davit still waits for it.
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
      /*
       * A server with the right name but another address is not the desired server, because servers never change their
       * address.
       */
      if (found === undefined || found.endpoint !== endpoint) return { server, state: 'down' };
      if (found.sight === 'up') return { server, state: 'up' };
      return { server, state: patient(server) ? 'waiting' : 'down' };
    });
}

/**
 * Returns the commands that switch a backend to its new servers. HAProxy has already checked the health of the new
 * servers.
 * @param verdicts states of the backend's active servers
 * @param routes routes to the backend that HAProxy does not have yet
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
  // If there are old servers, they receive all requests until every new server is up.
  const taking = allUp || old.length === 0 ? verdicts.filter(({ state }) => state === 'up') : [];
  return [
    ...taking
      .filter(({ server }) => admin(server) !== 'ready')
      .map(({ server }) => `set server ${path(server)} state ready`),
    ...(allUp ? old.map(({ name }) => `set server ${path(name)} state drain`) : []),
  ];
}

/**
 * Returns the HAProxy commands that remove the servers of deleted apps. The backends of the API and the registry do not
 * change.
 */
export function leftovers(desired: Desired, running: Running): string[] {
  return [...running.servers].flatMap(([backend, servers]) =>
    desired.backends.has(backend) || !isSlot(backend) ? [] : removals(backend, servers, null),
  );
}

/**
 * Returns HAProxy commands that remove the servers that are not in the route table. HAProxy keeps a server with open
 * connections. The next update tries again.
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
 * Returns the HAProxy commands that delete unused rules. These commands run last in an update, because routes can use
 * the old rules until then.
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
 * Returns the routes that HAProxy does not have or sends to a wrong backend. The key of the map is the name of the
 * correct backend.
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
 * Returns the desired backends that HAProxy already has. For other backends, HAProxy needs a reload.
 * @param slots number of app backends in the running HAProxy
 */
export function present(desired: Desired, slots: number): DesiredBackend[] {
  return [...desired.backends.values()].filter(({ slot }) => slot <= slots);
}
