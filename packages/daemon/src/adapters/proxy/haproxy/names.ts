/** Names that the files, the configuration and the running proxy share. */

/** Path of the proxy's folder inside the container. */
export const FOLDER = '/run/davit';
/** Path of the symbolic link to the folder with the current files. */
const CURRENT = `${FOLDER}/current`;

export const FILE = {
  config: 'haproxy.cfg',
  /**
   * Map of `<host>/<path>/` to `<backend>`, or to `<backend>|<id of rules>|<letters>` for a host with rules or paths.
   */
  routes: 'routes.map',
  /** Map of `<id of rules>.<rule>` to the rule's value. */
  rules: 'rules.map',
  /** Map of a token to its response. */
  challenges: 'challenges.map',
  certificates: 'certificates.list',
  script: 'rules.lua',
} as const;

export const CONFIG_FILE = `${CURRENT}/${FILE.config}`;
/** Paths of the files. The running proxy uses these paths as the names of its maps. */
export const ROUTES_MAP = `${CURRENT}/${FILE.routes}`;
export const RULES_MAP = `${CURRENT}/${FILE.rules}`;
export const CHALLENGES_MAP = `${CURRENT}/${FILE.challenges}`;
export const CERTIFICATE_LIST = `${CURRENT}/${FILE.certificates}`;
export const SCRIPT = `${CURRENT}/${FILE.script}`;

/**
 * Environment variable of the container with the path of the worker's runtime socket. Two generations share one
 * configuration file, but each has its own socket.
 */
export const SOCKET_VARIABLE = 'DAVIT_PROXY_SOCKET';

/** Letter of a route whose host has paths. No rule uses this letter. */
export const HAS_PATHS = 'P';

/** Backend of the daemon. */
export const API_BACKEND = 'api';
/** Backend of the instance's own registry. The backend has no servers if the instance has no registry. */
export const REGISTRY_BACKEND = 'registry';

export function backendName(slot: number): string {
  return `b${slot}`;
}

/** Returns whether a backend of the proxy is reserved for apps. */
export function isSlot(backend: string): boolean {
  return /^b\d+$/.test(backend);
}

/** Name of the dashboard's session cookie, without the prefix that it has over TLS. */
export const SESSION_COOKIE = 'davit_session';
