/** Names that both the HAProxy configuration and the daemon use: files, backends and cookies. */

/** Path of HAProxy's folder inside the container. */
export const FOLDER = '/run/davit';
/** Path of the symbolic link to the current HAProxy files, inside the container. */
const CURRENT = `${FOLDER}/current`;

export const FILE = {
  config: 'haproxy.cfg',
  /**
   * HAProxy map with the routes: `<host>/<path>/` to `<backend>`, or to `<backend>|<rules id>|<letters>` if the host
   * has rules or paths.
   */
  routes: 'routes.map',
  /**
   * HAProxy map with the rules of hosts, for example rate limits. The key is `<rules id>.<rule>`. Hosts with equal
   * rules share an id.
   */
  rules: 'rules.map',
  /** HAProxy map with the responses to ACME challenges. The key is the challenge token. */
  challenges: 'challenges.map',
  certificates: 'certificates.list',
  script: 'rules.lua',
} as const;

export const CONFIG_FILE = `${CURRENT}/${FILE.config}`;
/** Paths of HAProxy's map files inside the container. Runtime commands use these paths as the names of the maps. */
export const ROUTES_MAP = `${CURRENT}/${FILE.routes}`;
export const RULES_MAP = `${CURRENT}/${FILE.rules}`;
export const CHALLENGES_MAP = `${CURRENT}/${FILE.challenges}`;
export const CERTIFICATE_LIST = `${CURRENT}/${FILE.certificates}`;
export const SCRIPT = `${CURRENT}/${FILE.script}`;

/**
 * Environment variable with the path of HAProxy's runtime socket. It is not in the configuration file, which an old and
 * a new container share.
 */
export const SOCKET_VARIABLE = 'DAVIT_PROXY_SOCKET';

/** Letter in the route map for a host with routes for paths. Other letters stand for rules, so no rule may use `P`. */
export const HAS_PATHS = 'P';

/** Name of the HAProxy backend of the daemon's API. */
export const API_BACKEND = 'api';
/**
 * Name of the HAProxy backend of the Davit instance's registry. The backend has no servers if the instance has no
 * registry.
 */
export const REGISTRY_BACKEND = 'registry';

export function backendName(slot: number): string {
  return `b${slot}`;
}

/** Returns whether an HAProxy backend belongs to an app. The backends of apps have names such as `b5`. */
export function isSlot(backend: string): boolean {
  return /^b\d+$/.test(backend);
}

/** Name of the dashboard's session cookie. Over TLS, Davit adds a prefix to this name. */
export const SESSION_COOKIE = 'davit_session';
