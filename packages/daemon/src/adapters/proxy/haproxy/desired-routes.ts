/**
 * Pure functions that create two HAProxy maps. The first map contains the backend of each host and path. The second map
 * contains the rules of each host, for example its rate limit.
 */
import { normalizeHost } from '@davit/api';
import type { RouteHost, RouteRules, RouteTable } from '../proxy.ts';
import { invalid } from './invalid.ts';
import { API_BACKEND, backendName, HAS_PATHS, REGISTRY_BACKEND } from './names.ts';
import { ruleEntries, rulesId, rulesLetters } from './rules.ts';

export interface DesiredRoute {
  backend: string;
  /**
   * Value of the route in HAProxy's route map. The value is the backend name, or `<backend>|<rules id>|<letters>` if
   * the host has rules or paths. Each letter stands for one rule.
   */
  value: string;
}

export interface DesiredRoutes {
  /**
   * Map of routes. A key is a host with an optional path and a final slash, such as `<host>/` or `<host>/shop/`. With
   * the final slash, HAProxy compares only complete path segments.
   */
  routes: Map<string, DesiredRoute>;
  /**
   * Content of the HAProxy map with the rules of hosts. A key has the form `<id>.<rule>`. The value is the value of the
   * rule.
   */
  rules: Map<string, string>;
}

interface Entry {
  host: string;
  path: string;
  backend: string;
  rules: RouteRules | null;
}

/** Path of the token service on the registry's host name. The daemon handles requests for this path. */
export const TOKEN_PATH = '/v2/token';
/** Pattern for the path of a route. No path segment may be `.` or `..`, and the path must not end with a slash. */
const PATH = /^(\/(?!\.{1,2}(\/|$))[\w.~@:+=!$&(),*-]+)+$/;
const LONGEST_PATH = 1_000;

/**
 * Creates the HAProxy routes of a route table.
 * @param hasBackend returns whether HAProxy will have the backend
 * @throws Error with the invalid value
 */
export function desiredRoutes(table: RouteTable, hasBackend: (name: string) => boolean): DesiredRoutes {
  const entries = [...ownEntries(table), ...table.hosts.map((host) => appEntry(host, hasBackend))];
  const withPaths = new Set(entries.filter(({ path }) => path !== '').map(({ host }) => host));
  const routes = new Map<string, DesiredRoute>();
  const rules = new Map<string, string>();
  const known = new Set<string>();
  for (const { host, path, backend, rules: own } of entries) {
    if (normalizeHost(host) !== host) throw invalid(`host ${JSON.stringify(host)} is not a lower-case host name`);
    const key = `${host}${path}/`;
    if (routes.has(key)) throw invalid(`host ${host}${path} occurs twice`);
    const id = own === null ? null : rulesId(own);
    if (own !== null && id !== null && !known.has(id)) {
      known.add(id);
      for (const [rule, value] of ruleEntries(own)) rules.set(`${id}.${rule}`, value);
    }
    const letters = `${withPaths.has(host) ? HAS_PATHS : ''}${own === null ? '' : rulesLetters(own)}`;
    routes.set(key, { backend, value: letters === '' ? backend : `${backend}|${id ?? ''}|${letters}` });
  }
  return { routes, rules };
}

function ownEntries({ domain, domainRules, registry }: RouteTable): Entry[] {
  const own = { host: domain, path: '', backend: API_BACKEND, rules: domainRules ?? null };
  if (!registry) return [own];
  const { host } = registry;
  return [
    own,
    { host, path: '', backend: REGISTRY_BACKEND, rules: null },
    { host, path: TOKEN_PATH, backend: API_BACKEND, rules: null },
  ];
}

function appEntry({ host, path = '/', slot, rules }: RouteHost, hasBackend: (name: string) => boolean): Entry {
  const backend = backendName(slot);
  if (!hasBackend(backend))
    throw invalid(`host ${host} refers to the backend with number ${slot}, which does not exist`);
  if (path !== '/' && (!PATH.test(path) || path.length > LONGEST_PATH)) {
    throw invalid(`path ${JSON.stringify(path)} of host ${host} is not valid`);
  }
  // Ignores a redirect from a host to itself, because clients would follow it endlessly.
  const own = rules?.redirectTo === host ? { ...rules, redirectTo: null } : rules;
  return { host, path: path === '/' ? '' : path, backend, rules: own ?? null };
}
