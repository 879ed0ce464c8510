/**
 * Pure functions that create the files that HAProxy reads when it starts. New backends need a reload, so the
 * configuration contains unused backends for new apps.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TrustedProxies } from '../proxy.ts';
import type { AccessLogLines } from './access-log.ts';
import { certificateList } from './certificates.ts';
import type { Desired, DesiredBackend, DesiredServer } from './desired.ts';
import { type Entrances, frontend, MAX_HEADER_BYTES, PROXY_HEADERS } from './frontend.ts';
import { API_BACKEND, backendName, FILE, REGISTRY_BACKEND, SCRIPT, SOCKET_VARIABLE } from './names.ts';
import { localFrontend, REGISTRY } from './registry-front.ts';
import { httpErrors, SENTENCE, TEXT } from './sentences.ts';

/**
 * Size in bytes of HAProxy's buffers. A buffer must contain all headers of a request, the request line, and 1 KiB for
 * changes by HAProxy. Headers that do not fit into the buffer get HAProxy's built-in response (status 400).
 */
const BUFFER_BYTES = MAX_HEADER_BYTES + 4 * 1024;

/**
 * User id and group id of the HAProxy worker, which needs no privileges. The id does not need an entry in
 * `/etc/passwd`.
 */
export const WORKER_ID = 65_534;

export interface ConfigSettings extends Entrances {
  /** Configuration of the access log, or `null` to disable the access log. */
  accessLog: AccessLogLines | null;
  /**
   * CIDR networks of the Davit instance's containers. HAProxy never trusts the header `X-Forwarded-For` from these
   * networks.
   */
  containerNetworks: string[];
  /** Minimum number of unused HAProxy backends. A new app gets an unused backend, so HAProxy needs no reload. */
  reserve: number;
  /** Loopback port for registry clients on this server. `null` means that HAProxy does not listen on this port. */
  registryPort: number | null;
  /** Owner of HAProxy's runtime socket, or `null` if the daemon runs as root. */
  socketOwner: { uid: number; gid: number } | null;
}

export interface RenderedConfig {
  /** Map from file name to the content of a file that HAProxy reads when it starts. */
  files: Record<string, string>;
  /**
   * Text that Davit writes to the `description` of the HAProxy configuration to identify its version. If HAProxy runs
   * with another text, HAProxy needs a reload.
   */
  mark: ConfigMark;
}

export interface ConfigMark {
  /** Hash of the HAProxy configuration without its backends, servers, maps and certificates. */
  hash: string;
  /** Number of HAProxy backends for apps. The backends are named `b1` to `b<slots>`. */
  slots: number;
}

/**
 * Creates HAProxy's configuration, maps and certificate list for a desired state. The same state always gives the same
 * output.
 */
export function renderConfig(desired: Desired, settings: ConfigSettings): RenderedConfig {
  const used = Math.max(0, ...[...desired.backends.values()].map(({ slot }) => slot));
  // Adds spare backends for many future apps, because HAProxy needs a reload to add a backend.
  const slots = Math.ceil((used + settings.reserve) / settings.reserve) * settings.reserve;
  const fixed = fixedPart(settings, desired.trusted);
  const mark = {
    hash: createHash('sha256').update(fixed).update(REGISTRY).update(script()).digest('hex').slice(0, 16),
    slots,
  };
  const backends = [...Array(slots).keys()].map((index) => {
    const name = backendName(index + 1);
    return backendPart(name, desired.backends.get(name));
  });
  const own = (name: string) =>
    (desired.backends.get(name)?.servers ?? []).map((server) => serverLine(server, serverArguments('http', false)));
  const config = [
    `# Davit writes this file and overwrites manual changes.\nglobal\n  description "${describe(mark)}"`,
    ...[fixed, ...own(API_BACKEND), REGISTRY, ...own(REGISTRY_BACKEND), APPS, ...backends, ''],
  ];
  return {
    files: {
      [FILE.config]: config.join('\n'),
      [FILE.routes]: mapOf([...desired.routes].map(([key, { value }]) => [key, value])),
      [FILE.rules]: mapOf([...desired.rules]),
      [FILE.challenges]: mapOf([...desired.challenges]),
      [FILE.certificates]: certificateList(desired.certificates),
      [FILE.script]: script(),
    },
    mark,
  };
}

/** Creates an HAProxy map file. The lines are sorted, so that the order of the entries does not change the file. */
function mapOf(entries: [string, string][]): string {
  return entries
    .map(([key, value]) => `${key} ${value}\n`)
    .sort()
    .join('');
}

let ownScript: string | null = null;

function script(): string {
  ownScript ??= readFileSync(new URL('./rules.lua', import.meta.url), 'utf8');
  return ownScript;
}

function describe({ hash, slots }: ConfigMark): string {
  return `davit ${hash} ${slots}`;
}

/**
 * Parses the hash and the number of backends from the `description` of the running configuration. Returns `null` if
 * Davit did not write the description.
 */
export function parseMark(description: string): ConfigMark | null {
  const match = /^davit ([0-9a-f]{16}) (\d+)$/.exec(description);
  return match?.[1] === undefined ? null : { hash: match[1], slots: Number(match[2]) };
}

/**
 * Returns the options of an HAProxy server, such as its health checks. The command `add server` needs the same options,
 * because it ignores the defaults in the configuration file.
 */
export function serverArguments(protocol: DesiredBackend['protocol'], checked: boolean): string {
  const proto = protocol === 'h2c' ? ' proto h2' : '';
  /*
   * After two failed health checks, a server is down, in at most 1.7 seconds. After a failed connection, HAProxy runs
   * the next check sooner.
   */
  const check = checked
    ? ' check inter 1500 fastinter 200 downinter 500 rise 1 fall 2 observe layer4 error-limit 1 on-error fastinter'
    : '';
  return `${proto}${check}`.trimStart();
}

function backendPart(name: string, backend: DesiredBackend | undefined): string {
  if (backend === undefined) return `backend ${name}`;
  const options = serverArguments(backend.protocol, backend.checked);
  // Omits old servers that only finish open requests. A new HAProxy process has no open requests to these servers.
  const servers = backend.servers.filter(({ active }) => active).map((server) => serverLine(server, options));
  return [`backend ${name} # ${backend.app}`, ...servers].join('\n');
}

function serverLine({ name, endpoint }: DesiredServer, options: string): string {
  return `  server ${name} ${endpoint} ${options}`.trimEnd();
}

/**
 * Creates the part of the HAProxy configuration that does not depend on apps. Reasons for the less obvious settings:
 * - `noreuseport`: Without this setting, two HAProxy processes could listen on one port and share its requests.
 * - `fd-hard-limit` without `maxconn`: HAProxy accepts as many connections as the limit of open files allows.
 * - `max-spread-checks`: HAProxy checks a new server immediately instead of after an interval.
 * - `pattern.cache-size 0`: A cache lookup takes longer than a search in a short list of words.
 * - `tune.bufsize`: All headers of a request must fit into one buffer. A larger buffer makes HTTPS slower.
 * - `tune.http.maxhdr`: The documented limit is 200 headers. HAProxy also counts other lines of a request or response.
 * - `idle-close-on-response`, `stopping`: A replaced worker does not close an idle connection immediately, because a
 * request of the client could get lost. The worker accepts one more request. The worker's routes are outdated, so it
 * forwards the request to the new worker.
 * - `disable-l7-retry`: If a server closes the connection without a response, HAProxy repeats only idempotent requests.
 * - `http-no-delay`: HAProxy forwards each event of a stream immediately.
 * - `retries 0` of the API backend: The backend has only one server, and each retry would wait for a second.
 * - `timeout client`: This timeout also limits the TLS handshake, which has no timeout of its own. It limits pauses
 * while the client sends or reads, but not the wait for a response.
 * - `abortonclose` of the frontend and the API backend: The daemon stops its work when a client disconnects, so HAProxy
 * must forward the disconnection. Without this option on the frontend, HAProxy does not notice the disconnection.
 */
function fixedPart(settings: ConfigSettings, trusted: TrustedProxies): string {
  const { socketOwner, accessLog, registryPort } = settings;
  const local = registryPort === null ? '' : `${localFrontend(registryPort, PROXY_HEADERS)}\n\n`;
  const owner = socketOwner === null ? '' : ` uid ${socketOwner.uid} gid ${socketOwner.gid}`;
  return `  uid ${WORKER_ID}
  gid ${WORKER_ID}
  noreuseport
  fd-hard-limit 131072
  hard-stop-after 24h
  max-spread-checks 2
  spread-checks 20
  tune.pattern.cache-size 0
  tune.http.maxhdr 256
  tune.bufsize ${BUFFER_BYTES}
  stats socket "\${${SOCKET_VARIABLE}}" mode 600${owner} level admin expose-fd listeners
  stats timeout 30s
  lua-load-per-thread ${SCRIPT}
${TLS}
${(accessLog?.global ?? []).map((line) => `  ${line}\n`).join('')}
defaults base
  mode http
  balance leastconn
  timeout http-request 10s
  timeout http-keep-alive 60s
  timeout client 60s
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

${accessLog === null ? '' : `${accessLog.sections}\n\n`}${frontend(settings, WORKER_ID, accessLog, trusted, settings.containerNetworks)}

${local}backend ${API_BACKEND} from heard
  retries 0
  http-error status 503 content-type "${TEXT}" string "${SENTENCE.noDaemon}" hdr Retry-After 5 hdr Davit-Proxy 1`;
}

/**
 * TLS settings from Mozilla's intermediate profile. Session tickets are off, because a stolen ticket key could decrypt
 * recorded traffic.
 */
const TLS = `  ssl-load-extra-files none
  ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets prefer-client-ciphers
  ssl-default-bind-curves X25519:prime256v1:secp384r1
  ssl-default-bind-ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
  ssl-default-bind-ciphersuites TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256`;

/**
 * HAProxy defaults for the backends of apps. The defaults do not set `abortonclose`, so HAProxy handles disconnected
 * clients in its default way.
 */
const APPS = '\ndefaults apps from base';
