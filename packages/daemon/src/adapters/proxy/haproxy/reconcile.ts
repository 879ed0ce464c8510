/**
 * From what the proxy should have and what it has to the commands between them. Pure; the order is the point:
 *
 * 1. `opening`: what rules say comes in, routes that go or move lead nowhere, those that stay get their new rules, and
 *    new servers come in without taking requests.
 * 2. `finishing`, for each backend when the proxy has seen its new servers answer: they take requests, the old ones no
 *    more; servers that nobody wants any more go; routes lead to it. While a new server does not answer, the old ones
 *    serve on.
 * 3. `closing`: what no route asks for any more goes.
 *
 * A route never leads to a server of another app, even when a slot changes hands: it leads nowhere first and to the app
 * last. Nowhere is an entry, not the lack of one: without it a path would lead to the app of its host.
 */
import { serverArguments } from './config.ts';
import type { Desired, DesiredBackend } from './desired.ts';
import { CHALLENGES_MAP, isSlot, ROUTES_MAP, RULES_MAP } from './names.ts';
import type { Running, RunningServer } from './running.ts';

/** What a route that leads nowhere has for a backend. */
const NOWHERE = 'none';

/** @param slots the number of backends that the running proxy has */
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

/** What is missing in a map or says something else there. */
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
export function judgeServers(
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
 * @param routes that do not lead to the backend yet
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

/** Entries of rules that no route asks for. */
export function closing(desired: Desired, running: Running): string[] {
  return [...running.rules.keys()].filter((key) => !desired.rules.has(key)).map((key) => `del map ${RULES_MAP} ${key}`);
}

export interface MissingRoute {
  key: string;
  value: string;
  command: 'add' | 'set';
}

/** Routes that do not lead to their backend yet, by backend. */
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

/** Backends that the running proxy has: it cannot be given more without a reload. */
export function present(desired: Desired, slots: number): DesiredBackend[] {
  return [...desired.backends.values()].filter(({ slot }) => slot <= slots);
}
