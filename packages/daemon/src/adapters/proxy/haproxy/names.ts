/** The names that files, configuration and running proxy share. */

/** Where the proxy's folder is inside its container. */
export const FOLDER = '/run/davit';
/** The files that belong together; a link in the folder leads to those that count. */
const CURRENT = `${FOLDER}/current`;

export const FILE = {
  config: 'haproxy.cfg',
  /** `<host>/<path>/` to `<backend>`, or `<backend>|<id of rules>|<letters>` when there is more to say. */
  routes: 'routes.map',
  /** `<id of rules>.<rule>` to its value. */
  rules: 'rules.map',
  /** Token to answer. */
  challenges: 'challenges.map',
  certificates: 'certificates.list',
  script: 'rules.lua',
} as const;

export const CONFIG_FILE = `${CURRENT}/${FILE.config}`;
/** Also the names by which the running proxy knows them. */
export const ROUTES_MAP = `${CURRENT}/${FILE.routes}`;
export const RULES_MAP = `${CURRENT}/${FILE.rules}`;
export const CHALLENGES_MAP = `${CURRENT}/${FILE.challenges}`;
export const CERTIFICATE_LIST = `${CURRENT}/${FILE.certificates}`;
export const SCRIPT = `${CURRENT}/${FILE.script}`;

/** The container's variable that names the worker's runtime socket: two generations share one file, not one socket. */
export const SOCKET_VARIABLE = 'DAVIT_PROXY_SOCKET';

/** The letter of a route whose host has paths; no rule has it. */
export const HAS_PATHS = 'P';

/** The backend that answers for the daemon. */
export const API_BACKEND = 'api';
/** The backend that answers for the instance's own registry; without servers when there is none. */
export const REGISTRY_BACKEND = 'registry';

export function backendName(slot: number): string {
  return `b${slot}`;
}

/** Whether a backend of the proxy's is one that apps take. */
export function isSlot(backend: string): boolean {
  return /^b\d+$/.test(backend);
}

/** The session cookie of the dashboard, without the prefix that it has over TLS. */
export const SESSION_COOKIE = 'davit_session';
