/**
 * What the proxy starts from: its configuration, its maps and its list of certificates, written from the whole desired
 * state. Pure.
 *
 * The running proxy cannot be given a backend, so the file has empty ones in reserve. Everything that differs by app is
 * a server, its arguments, an entry of a map or a certificate, and those can be changed while it runs.
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

/** An unprivileged user that needs no entry in a user database. */
export const WORKER_ID = 65_534;

export interface ConfigSettings extends Entrances {
  /** What is told about requests. Null: nothing. */
  accessLog: AccessLogLines | null;
  /** Networks of containers of this instance: what they say of a client's address is never believed. */
  containerNetworks: string[];
  /** How many empty backends are kept at least, beyond the highest slot in use. */
  reserve: number;
  /** Who may use the runtime socket, when the daemon is not root. */
  socketOwner: { uid: number; gid: number } | null;
}

export interface RenderedConfig {
  /** What is in each file, by its name. */
  files: Record<string, string>;
  /** The running proxy tells it: what differs in it takes a reload. */
  mark: ConfigMark;
}

export interface ConfigMark {
  /** Of everything but backends, servers, maps and certificates. */
  hash: string;
  /** Backends `b1` to `b<slots>` exist. */
  slots: number;
}

/** The files for a state. The same state gives the same bytes. */
export function renderConfig(desired: Desired, settings: ConfigSettings): RenderedConfig {
  const used = Math.max(0, ...[...desired.backends.values()].map(({ slot }) => slot));
  // Rounded up, so that an app more does not make it another file that the running proxy would have to reload.
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
    `# Written by Davit from its store; what is changed here by hand is overwritten.\nglobal\n  description "${describe(mark)}"`,
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

/** In one order, whatever the order of the table. */
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
 * - `pattern.cache-size 0`: to look for what a short list of words came to the last time takes longer than the list.
 * - `idle-close-on-response`, `stopping`: a worker that was replaced answers one more request on a connection that was
 *   idle, and it no longer knows the routes; so it hands that request to its successor. A connection closed under a
 *   client that is just sending would be a lost request.
 * - `disable-l7-retry`: only what may be done twice is sent again when a server closed without an answer.
 * - `http-no-delay`: an event of a stream is passed on when it comes.
 * - `retries 0` of the api: it is one server, and a retry waits for a second.
 * - `timeout client` bounds a handshake of TLS too, which has no time of its own: a client may fall silent for as long in
 *   the middle of what it sends or reads, not while it waits for an answer.
 * - `abortonclose` of the frontend and the api: the daemon ends what it does for a client that has left, so it has to hear
 *   of that. Without it on the frontend too, nothing is read of a client whose request is whole.
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
 * What Mozilla calls intermediate, less the key exchanges that no client needs that knows these ciphers. Sessions are
 * resumed from the proxy's own memory: a ticket's key would open what was recorded before.
 */
const TLS = `  ssl-load-extra-files none
  ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets prefer-client-ciphers
  ssl-default-bind-curves X25519:prime256v1:secp384r1
  ssl-default-bind-ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
  ssl-default-bind-ciphersuites TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256`;

/** The registry says where tokens are: at the host by which it was asked. Only what can stand in a host is repeated. */
const REGISTRY = `
backend ${REGISTRY_BACKEND} from base
  retries 0
  http-error status 503 content-type "${TEXT}" string "${SENTENCE.noRegistry}" hdr Retry-After 5
  http-request set-var(txn.asked) 'req.hdr(host),lower,regsub([^a-z0-9.:-],,g)'
  http-response replace-header WWW-Authenticate '^(.*)realm="[^"]*"(.*)$' '\\1realm="%[so_name]://%[var(txn.asked)]/v2/token"\\2' if { status 401 }`;

/** What follows is apps': whether a client that has left is told them is left as it was. */
const APPS = '\ndefaults apps from base';
