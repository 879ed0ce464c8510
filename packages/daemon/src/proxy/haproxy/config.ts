/**
 * What the proxy starts from: its configuration and the map of hosts, written from the whole desired state. Pure.
 *
 * The running proxy cannot be given a backend, so the file has empty ones in reserve. Everything that differs by app is
 * a server, its arguments or an entry of the map, and those can be changed while it runs.
 */
import { createHash } from 'node:crypto';
import { API_BACKEND, backendName, type Desired, type DesiredBackend, type DesiredServer } from './desired.ts';

/** Where the proxy's folder is inside its container. */
export const FOLDER = '/run/davit';
export const CONFIG_FILE = `${FOLDER}/current/haproxy.cfg`;
/** Also the name by which the running proxy knows the map. */
export const HOSTS_MAP = `${FOLDER}/current/hosts.map`;
/** The container's variable that names the worker's runtime socket: two generations share one file, not one socket. */
export const SOCKET_VARIABLE = 'DAVIT_PROXY_SOCKET';

/** An unprivileged user that needs no entry in a user database. */
const WORKER_ID = 65_534;

export interface ConfigSettings {
  /** Arguments of `bind`, for example `*:80`. */
  binds: string[];
  /** How many empty backends are kept at least, beyond the highest slot in use. */
  reserve: number;
  /** Who may use the runtime socket, when the daemon is not root. */
  socketOwner: { uid: number; gid: number } | null;
}

export interface RenderedConfig {
  config: string;
  hosts: string;
  /** The running proxy tells it: what differs in it takes a reload. */
  mark: ConfigMark;
}

export interface ConfigMark {
  /** Of everything but backends, servers and hosts. */
  hash: string;
  /** Backends `b1` to `b<slots>` exist. */
  slots: number;
}

/** The two files for a state. The same state gives the same bytes. */
export function renderConfig(desired: Desired, settings: ConfigSettings): RenderedConfig {
  const used = Math.max(0, ...[...desired.backends.values()].map(({ slot }) => slot));
  // Rounded up, so that an app more does not make it another file that the running proxy would have to reload.
  const slots = Math.ceil((used + settings.reserve) / settings.reserve) * settings.reserve;
  const fixed = fixedPart(settings);
  const mark = { hash: createHash('sha256').update(fixed).digest('hex').slice(0, 16), slots };
  const backends = [...Array(slots).keys()].map((index) => {
    const name = backendName(index + 1);
    return backendPart(name, desired.backends.get(name));
  });
  const hosts = [...desired.hosts].sort().map(([host, backend]) => `${host} ${backend}\n`);
  const api = desired.backends.get(API_BACKEND)?.servers ?? [];
  return {
    config: [
      `# Written by Davit from its store; what is changed here by hand is overwritten.\nglobal\n  description "${describe(mark)}"`,
      fixed,
      ...api.map((server) => serverLine(server, serverArguments('http', false))),
      APPS,
      ...backends,
      '',
    ].join('\n'),
    hosts: hosts.join(''),
    mark,
  };
}

function describe({ hash, slots }: ConfigMark): string {
  return `davit ${hash} ${slots}`;
}

/** Reads the mark back from what the running proxy says of itself; null when another hand wrote its configuration. */
export function parseMark(description: string): ConfigMark | null {
  const match = /^davit ([0-9a-f]{16}) (\d+)$/.exec(description);
  return match?.[1] === undefined ? null : { hash: match[1], slots: Number(match[2]) };
}

/** A server's arguments behind its endpoint; the same in the file and in `add server`, which knows no defaults. */
export function serverArguments(protocol: DesiredBackend['protocol'], checked: boolean): string {
  const proto = protocol === 'h2c' ? ' proto h2' : '';
  // Two failed looks 0.2 s apart take a server out: a dead one within 1.7 s, or as soon as a request could not connect.
  const check = checked
    ? ' check inter 1500 fastinter 200 downinter 500 rise 1 fall 2 observe layer4 error-limit 1 on-error fastinter'
    : '';
  return `${proto}${check}`.trimStart();
}

function backendPart(name: string, backend: DesiredBackend | undefined): string {
  if (backend === undefined) return `backend ${name}`;
  const options = serverArguments(backend.protocol, backend.checked);
  // A draining server has nothing to finish in a process that starts from this file.
  const servers = backend.servers.filter(({ active }) => active).map((server) => serverLine(server, options));
  return [`backend ${name} # ${backend.app}`, ...servers].join('\n');
}

function serverLine({ name, endpoint }: DesiredServer, options: string): string {
  return `  server ${name} ${endpoint} ${options}`.trimEnd();
}

/**
 * Reasons for what is not plain:
 * - `noreuseport`: without it two proxies on one port would both start, and each get a part of the requests.
 * - `fd-hard-limit` and no `maxconn`: as many connections as the container may have files, within reason.
 * - `max-spread-checks`: the first check of a new server comes at once and not after an interval.
 * - `idle-close-on-response`, `stopping`: a worker that was replaced answers one more request on a connection that was
 *   idle, and it no longer knows the routes; so it hands that request to its successor. A connection closed under a
 *   client that is just sending would be a lost request.
 * - `disable-l7-retry`: only what may be done twice is sent again when a server closed without an answer.
 * - `http-no-delay`: an event of a stream is passed on when it comes.
 * - `retries 0` of the api: it is one server, and a retry waits for a second.
 * - `abortonclose` of the frontend and the api: the daemon ends what it does for a client that has left, so it has to hear
 *   of that. Without it on the frontend too, nothing is read of a client whose request is whole.
 */
function fixedPart({ binds, socketOwner }: ConfigSettings): string {
  const owner = socketOwner === null ? '' : ` uid ${socketOwner.uid} gid ${socketOwner.gid}`;
  return `  uid ${WORKER_ID}
  gid ${WORKER_ID}
  noreuseport
  fd-hard-limit 131072
  hard-stop-after 24h
  max-spread-checks 2
  spread-checks 20
  stats socket "\${${SOCKET_VARIABLE}}" mode 600${owner} level admin expose-fd listeners
  stats timeout 30s

defaults base
  mode http
  balance leastconn
  timeout http-request 10s
  timeout http-keep-alive 60s
  timeout client 1h
  timeout server 1h
  timeout tunnel 24h
  timeout client-fin 30s
  timeout connect 3s
  timeout queue 30s
  timeout check 1s
  retries 3
  retry-on conn-failure empty-response
  option redispatch 1
  option http-no-delay
${httpErrors().join('\n')}

defaults heard from base
  option abortonclose

frontend http from heard
${binds.map((bind) => `  bind ${bind}`).join('\n')}
  bind unix@${FOLDER}/relay.sock accept-proxy mode 600 uid ${WORKER_ID} gid ${WORKER_ID}
  option idle-close-on-response
  http-request disable-l7-retry unless { method GET HEAD OPTIONS }
  http-request set-var(txn.backend) req.hdr(host),host_only,lower,rtrim(.),map(${HOSTS_MAP},none)
  http-request del-header Forwarded
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto http
  http-request set-header X-Forwarded-Host %[req.hdr(host)]
  http-request set-header X-Real-IP %[src]
  http-request return status 404 content-type "${TEXT}" string "${NO_APP}" if { var(txn.backend) -m str none } !{ stopping }
  use_backend successor if { stopping }
  use_backend %[var(txn.backend)]

backend successor from base
  server next unix@${FOLDER}/relay.sock send-proxy-v2

backend ${API_BACKEND} from heard
  retries 0
  http-error status 503 content-type "${TEXT}" string "${NO_DAEMON}" hdr Retry-After 5`;
}

/** What follows is apps': whether a client that has left is told them is left as it was. */
const APPS = '\ndefaults apps from base';

const TEXT = 'text/plain; charset=utf-8';
const NO_APP = 'There is no app at this host name; check its spelling, or add it to an app as a domain.\\n';
const NO_DAEMON = 'The Davit daemon does not answer, while apps go on being served; start it, or try again soon.\\n';

function httpErrors(): string[] {
  const sentences: [number, string, string][] = [
    [400, 'This request is not valid HTTP; send it again with another client.', ''],
    [408, 'The request did not arrive in time; send it again.', ''],
    [500, 'The proxy could not handle this request; try again, and look at its log if it stays.', ''],
    [502, 'The app closed the connection without a valid answer; look at its log.', ''],
    [503, 'The app at this host name is not running at the moment; try again soon.', ' hdr Retry-After 5'],
    [504, 'The app did not answer in time; look at its log.', ''],
  ];
  return sentences.map(
    ([status, sentence, header]) =>
      `  http-error status ${status} content-type "${TEXT}" string "${sentence}\\n"${header}`,
  );
}
