/** Names that both the HAProxy configuration and the daemon use: files, backends and cookies. */

/** Path of HAProxy's folder inside the container. */
export const FOLDER = '/run/davit';
/** Path of the symbolic link to the current HAProxy files, inside the container. */
const CURRENT = `${FOLDER}/current`;

export const FILE = {
  config: 'haproxy.cfg',
  /**
   * HAProxy map with the routes. The key is `<host>/<path>/`, and the value is usually `<backend>`. If the host has
   * rules or routes for single paths, the value is `<backend>|<rules id>|<letters>`. Each letter stands for one kind of
   * rule, for example `H` for HSTS.
   */
  routes: 'routes.map',
  /**
   * HAProxy map with the rules of hosts, for example rate limits. The key is `<rules id>.<rule>`. Hosts with the same
   * rules have the same rules id. The value contains the setting of the rule.
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
 * Name of the environment variable that contains the path of HAProxy's runtime socket. The path is not in the
 * configuration file: during a replacement, two HAProxy containers use the same file, but each needs its own socket.
 */
export const SOCKET_VARIABLE = 'DAVIT_PROXY_SOCKET';

/**
 * Letter `P` in HAProxy's route map. It says that a host also has routes for single paths. Other letters stand for the
 * rules of the host, so no rule may use `P`.
 */
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
