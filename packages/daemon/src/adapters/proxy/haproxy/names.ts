/** Names of files, backends and cookies that both the HAProxy configuration and the daemon use. */

/** Path of HAProxy's folder inside the HAProxy container. */
export const FOLDER = '/run/davit';
/** Path of the symbolic link to the current HAProxy files, inside the HAProxy container. */
const CURRENT = `${FOLDER}/current`;

export const FILE = {
  config: 'haproxy.cfg',
  /**
   * Map file with HAProxy's routes. A key has the form `<host>/<path>/`. The value is `<backend>`, or `<backend>|<rules
   * id>|<letters>` if the host has rules or paths.
   */
  routes: 'routes.map',
  /**
   * Map file with the rules of hosts, for example rate limits. A key has the form `<rules id>.<rule>`. Hosts with equal
   * rules share an id.
   */
  rules: 'rules.map',
  /** Map file with HAProxy's responses to ACME challenges. The key is the challenge token. */
  challenges: 'challenges.map',
  certificates: 'certificates.list',
  script: 'rules.lua',
} as const;

export const CONFIG_FILE = `${CURRENT}/${FILE.config}`;
/** Paths of HAProxy's map files inside the HAProxy container. Runtime commands use these paths as map names. */
export const ROUTES_MAP = `${CURRENT}/${FILE.routes}`;
export const RULES_MAP = `${CURRENT}/${FILE.rules}`;
export const CHALLENGES_MAP = `${CURRENT}/${FILE.challenges}`;
export const CERTIFICATE_LIST = `${CURRENT}/${FILE.certificates}`;
export const SCRIPT = `${CURRENT}/${FILE.script}`;

/**
 * Environment variable with the path of HAProxy's runtime socket. The path is not in the configuration file, because an
 * old and a new container share that file.
 */
export const SOCKET_VARIABLE = 'DAVIT_PROXY_SOCKET';

/**
 * Letter in HAProxy's route map that marks a host with routes for paths. All other letters stand for rules, so no rule
 * may use the letter `P`.
 */
export const HAS_PATHS = 'P';

/** Name of the HAProxy backend of the daemon's API. */
export const API_BACKEND = 'api';
/**
 * Name of the HAProxy backend of the Davit instance's registry. If the instance has no registry, the backend has no
 * servers.
 */
export const REGISTRY_BACKEND = 'registry';

export function backendName(slot: number): string {
  return `b${slot}`;
}

/** Returns whether an HAProxy backend belongs to an app. The backends of apps have names such as `b5`. */
export function isSlot(backend: string): boolean {
  return /^b\d+$/.test(backend);
}

/** Name of the dashboard's session cookie. Over TLS, Davit adds a prefix to the cookie name. */
export const SESSION_COOKIE = 'davit_session';
