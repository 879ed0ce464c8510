/**
 * Renders the files that the proxy reads at its start from the whole desired state: configuration, maps and the list of
 * certificates. Pure.
 *
 * A running proxy cannot get new backends, so the file contains empty backends in reserve. Everything else that differs
 * between apps is a server, its arguments, a map entry or a certificate. These parts can change without a reload.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TrustedProxies } from '../proxy.ts';
import type { AccessLogLines } from './access-log.ts';
import { certificateList } from './certificates.ts';
import type { Desired, DesiredBackend, DesiredServer } from './desired.ts';
import { type Entrances, frontend } from './frontend.ts';
import { API_BACKEND, backendName, FILE, REGISTRY_BACKEND, SCRIPT, SOCKET_VARIABLE } from './names.ts';
import { httpErrors, SENTENCE, TEXT } from './sentences.ts';

/** Unprivileged user of the worker. The user needs no entry in a user database. */
export const WORKER_ID = 65_534;

export interface ConfigSettings extends Entrances {
  /** Lines of the access log, or `null` for no access log. */
  accessLog: AccessLogLines | null;
  /** Networks of the instance's containers. Their statements about a client's address are never trusted. */
  containerNetworks: string[];
  /** Minimum number of empty backends beyond the highest used slot. */
  reserve: number;
  /** Owner of the runtime socket, if the daemon does not run as root. */
  socketOwner: { uid: number; gid: number } | null;
}

export interface RenderedConfig {
  /** Contents of the files by name. */
  files: Record<string, string>;
  /** Mark that the running proxy reports. A difference in the mark requires a reload. */
  mark: ConfigMark;
}

export interface ConfigMark {
  /** Hash of the configuration without backends, servers, maps and certificates. */
  hash: string;
  /** Number of backends. The backends are `b1` to `b<slots>`. */
  slots: number;
}

/** Returns the files for a state. An unchanged state results in identical bytes. */
export function renderConfig(desired: Desired, settings: ConfigSettings): RenderedConfig {
  const used = Math.max(0, ...[...desired.backends.values()].map(({ slot }) => slot));
  // The number is rounded up so that one more app does not require a reload.
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

/** Renders a map in sorted order, so that the order of the table does not matter. */
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
 * Reads the mark from the description of the running proxy. Returns `null` if another program wrote the configuration.
 */
export function parseMark(description: string): ConfigMark | null {
  const match = /^davit ([0-9a-f]{16}) (\d+)$/.exec(description);
  return match?.[1] === undefined ? null : { hash: match[1], slots: Number(match[2]) };
}

/**
 * Returns the arguments of a server after its endpoint. The file and the command `add server` use the same arguments,
 * because the command ignores defaults.
 */
export function serverArguments(protocol: DesiredBackend['protocol'], checked: boolean): string {
  const proto = protocol === 'h2c' ? ' proto h2' : '';
  // Two failed checks at an interval of 0.2 s disable a server. A failed server is detected within 1.7 s, or at the
  // first request that cannot connect.
  const check = checked
    ? ' check inter 1500 fastinter 200 downinter 500 rise 1 fall 2 observe layer4 error-limit 1 on-error fastinter'
    : '';
  return `${proto}${check}`.trimStart();
}

function backendPart(name: string, backend: DesiredBackend | undefined): string {
  if (backend === undefined) return `backend ${name}`;
  const options = serverArguments(backend.protocol, backend.checked);
  // A new process has no requests that a draining server could finish.
  const servers = backend.servers.filter(({ active }) => active).map((server) => serverLine(server, options));
  return [`backend ${name} # ${backend.app}`, ...servers].join('\n');
}

function serverLine({ name, endpoint }: DesiredServer, options: string): string {
  return `  server ${name} ${endpoint} ${options}`.trimEnd();
}

/**
 * Explains settings whose reason is not obvious:
 * - `noreuseport`: otherwise two proxies on one port would both start, and each would get a part of the requests.
 * - `fd-hard-limit` without `maxconn`: allows as many connections as the container may have open files, within reason.
 * - `max-spread-checks`: the first check of a new server runs immediately, not after an interval.
 * - `pattern.cache-size 0`: searching the cache takes longer than searching a short list of words.
 * - `idle-close-on-response`, `stopping`: a replaced worker handles one more request on an idle connection but no
 *   longer has current routes. The worker therefore forwards that request to its successor. Closing the connection
 *   while the client is sending would lose the request.
 * - `disable-l7-retry`: only idempotent requests are sent again if a server closed the connection without a response.
 * - `http-no-delay`: the proxy forwards each event of a stream immediately.
 * - `retries 0` of the API: the API has one server, and a retry waits for a second.
 * - `timeout client` also limits the TLS handshake, which has no separate limit. A client may pause for this time while
 *   it sends or reads, but the limit does not apply while the client waits for a response.
 * - `abortonclose` of the frontend and the API: the daemon stops work for a client that has disconnected, so the proxy
 *   must pass on the end of the connection. Without the option on the frontend, the proxy reads nothing from a client
 *   after its request.
 */
function fixedPart(settings: ConfigSettings, trusted: TrustedProxies): string {
  const { socketOwner, accessLog } = settings;
  const owner = socketOwner === null ? '' : ` uid ${socketOwner.uid} gid ${socketOwner.gid}`;
  return `  uid ${WORKER_ID}
  gid ${WORKER_ID}
  noreuseport
  fd-hard-limit 131072
  hard-stop-after 24h
  max-spread-checks 2
  spread-checks 20
  tune.pattern.cache-size 0
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

backend ${API_BACKEND} from heard
  retries 0
  http-error status 503 content-type "${TEXT}" string "${SENTENCE.noDaemon}" hdr Retry-After 5`;
}

/**
 * TLS settings: Mozilla's intermediate profile without key exchanges that clients with these ciphers do not need.
 * Sessions are resumed from the proxy's memory, because the key of a session ticket could decrypt recorded traffic.
 */
const TLS = `  ssl-load-extra-files none
  ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets prefer-client-ciphers
  ssl-default-bind-curves X25519:prime256v1:secp384r1
  ssl-default-bind-ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
  ssl-default-bind-ciphersuites TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256`;

/**
 * Backend of the registry. The registry's responses name the token service at the host of the request. The header
 * contains only characters that are valid in a host.
 */
const REGISTRY = `
backend ${REGISTRY_BACKEND} from base
  retries 0
  http-error status 503 content-type "${TEXT}" string "${SENTENCE.noRegistry}" hdr Retry-After 5
  http-request set-var(txn.asked) 'req.hdr(host),lower,regsub([^a-z0-9.:-],,g)'
  http-response replace-header WWW-Authenticate '^(.*)realm="[^"]*"(.*)$' '\\1realm="%[so_name]://%[var(txn.asked)]/v2/token"\\2' if { status 401 }`;

/** Defaults for the backends of apps. These backends keep HAProxy's default behavior for disconnected clients. */
const APPS = '\ndefaults apps from base';
