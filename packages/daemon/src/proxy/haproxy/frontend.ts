/**
 * Where every request comes in: what is done with it before an app gets it. Pure.
 *
 * An address of IPv4 that came to a socket for both is written as one: lists and counts would take it for another.
 *
 * One frontend for HTTP and HTTPS: they differ in the name of what was connected to. Its rules look things up in maps, by
 * the host and path of the request, so that they are the same lines whatever the instance serves. Most hosts have no rules,
 * or no more than HTTPS: theirs end early, and what else there is costs a host what it uses. Each line is evaluated for
 * every request that comes to it, so its first condition is the one that fails most often.
 */
import type { AccessLogLines, AccessNames } from './access-log.ts';
import { CERTIFICATE_LIST, CHALLENGES_MAP, FOLDER, HAS_PATHS, ROUTES_MAP, RULES_MAP } from './names.ts';
import { LETTER } from './rules.ts';
import { HTML, MAINTENANCE_PAGE, SENTENCE, TEXT } from './sentences.ts';

/** Where one of the two protocols comes in. */
export interface Entrance {
  /** Addresses as `bind` takes them, for example `*:80`. */
  binds: string[];
  /** As it stands in addresses. */
  port: number;
}

export interface Entrances {
  http: Entrance;
  https: Entrance;
}

/** Where the lines about requests find what they tell. */
export const ACCESS_NAMES: AccessNames = { frontend: 'web', backend: 'txn.backend', host: 'txn.host' };

/** By which a worker that stops hands requests to its successor, with the client's address and port. */
const RELAY = { http: `${FOLDER}/relay.sock`, https: `${FOLDER}/relay-tls.sock` } as const;
const MAINTENANCE_RETRY_S = 300;

/** @param log what is told about each request; null: nothing */
export function frontend({ http, https }: Entrances, workerId: number, log: AccessLogLines | null): string {
  const relay = (path: string) => `bind unix@${path} accept-proxy mode 600 uid ${workerId} gid ${workerId}`;
  return `frontend ${ACCESS_NAMES.frontend} from heard
${http.binds.map((bind) => `  bind ${bind} name http`).join('\n')}
${https.binds.map((bind) => `  bind ${bind} name https ssl crt-list ${CERTIFICATE_LIST} alpn h2,http/1.1`).join('\n')}
  ${relay(RELAY.http)} name http
  ${relay(RELAY.https)} name https
  tcp-request connection set-src src,regsub(^::ffff:,)
  option idle-close-on-response
${linesOf(log?.frontend)}${ROUTING}
${linesOf(log?.rules)}${FORWARDING}
${redirects(http, https)}
${RULES}
  use_backend successor-tls if { stopping } tls
  use_backend successor if { stopping }
  use_backend %[var(txn.backend)]

backend successor from base
  server next unix@${RELAY.http} send-proxy-v2

backend successor-tls from base
  server next unix@${RELAY.https} send-proxy-v2

backend clients from base
  stick-table type binary len 20 size 100k expire 2m store gpc0,gpc0_rate(1m)`;
}

const CHALLENGE = `path,field(4,/),map(${CHALLENGES_MAP})`;
const ROUTE = `var(txn.host),concat(,txn.path,/),map_beg(${ROUTES_MAP},none)`;
const AS_READ = 'path,url_dec,regsub(\\\\\\\\,/,g),regsub(;[^/]*,,g),regsub(/+,/,g)';

/**
 * - A worker that stops knows old routes: it looks for none, so that no rule of its own applies.
 * - What an authority asks for comes first, of any host, and over plain HTTP alone.
 * - On a host with paths, a path that is spelt in an odd way is looked for as an app would read it: an escape or a
 *   doubled slash must not lead around the rules of \`/admin\`. What could be read in two ways is refused.
 */
const ROUTING = `  acl tls so_name https
  acl paths var(txn.route) -m sub ${HAS_PATHS}
  acl odd path -m sub // ; % "\\\\" /./ /../
  acl odd path -m end /. /..
  http-request disable-l7-retry unless { method GET HEAD OPTIONS }
  http-request return status 200 content-type "text/plain" lf-string "%[${CHALLENGE}]" if !tls { path_beg /.well-known/acme-challenge/ } !{ stopping } { ${CHALLENGE} -m found }
  http-request set-var(txn.path) path
  http-request set-var(txn.host) req.hdr(host),host_only,lower,rtrim(.)
  http-request set-var(txn.route) ${ROUTE} unless { stopping }
  http-request set-var(txn.path) '${AS_READ}' if paths odd
  http-request return status 400 content-type "${TEXT}" string "${SENTENCE.badPath}" if paths odd { var(txn.path) -m reg '(^|/)\\.\\.?(/|$)' }
  http-request set-var(txn.route) ${ROUTE} if paths odd
  http-request set-var(txn.backend) var(txn.route),field(1,|)`;

const FORWARDING = `  http-request del-header Forwarded
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto %[so_name]
  http-request set-header X-Forwarded-Port %[dst_port]
  http-request set-header X-Forwarded-Host %[req.hdr(host)]
  http-request set-header X-Real-IP %[src]
  http-request return status 404 content-type "${TEXT}" string "${SENTENCE.noApp}" if { var(txn.backend) -m str none }`;

function linesOf(lines: string[] = []): string {
  return lines.map((line) => `  ${line}\n`).join('');
}

function redirects(http: Entrance, https: Entrance): string {
  const suffix = (port: number, usual: number) => (port === usual ? '' : `:${port}`);
  const plain = `http://%[var(txn.redirect)]${suffix(http.port, 80)}%[pathq]`;
  const secure = (host: string) => `https://%[var(txn.${host})]${suffix(https.port, 443)}%[pathq]`;
  return `  http-request allow unless { var(txn.route) -m sub | }
  http-request set-var(txn.hsts) ${valueOf('hsts')} if tls ${says('hsts')}
  http-after-response set-header Strict-Transport-Security "%[var(txn.hsts),url_dec]" if { var(txn.hsts) -m found }
  http-request redirect code 308 location "${secure('host')}" if !tls ${says('httpsOnly')}
  http-request allow unless ${says('more')}
  acl moved ${test('redirect')}
  http-request set-var(txn.redirect) ${valueOf('redirect')} if moved
  http-request redirect code 308 location "${plain}" if moved !tls !${says('redirectSecurely')}
  http-request redirect code 308 location "${secure('redirect')}" if moved`;
}

const RULES_ID = 'var(txn.route),field(2,|)';

/** What is true of a request whose host has the rule. */
function test(rule: keyof typeof LETTER): string {
  return `var(txn.route) -m sub ${LETTER[rule]}`;
}

function says(rule: keyof typeof LETTER): string {
  return `{ ${test(rule)} }`;
}

function valueOf(rule: string): string {
  return `${RULES_ID},concat(.${rule}),map(${RULES_MAP})`;
}

/**
 * - The address is the one that is connected: what a client says of others is not believed.
 * - Only requests that were let in count against the rate, so that who waits is let in again.
 * - A password is looked for by its hash; the app does not get the header.
 */
const RULES = `  acl listed ${test('allow')}
  http-request set-var(txn.allow) ${valueOf('allow')} if listed
  http-request set-var(txn.within) src,concat(|,txn.allow),lua.within if listed
  http-request return status 403 content-type "${TEXT}" string "${SENTENCE.notAllowed}" if listed !{ var(txn.within) -m str 1 }
  acl limited ${test('rate')}
  http-request set-var(txn.rate) ${valueOf('rate')} if limited
  http-request set-var(txn.client) src,ipmask(32,64) if limited
  http-request set-var(txn.client) var(txn.host),concat(|,txn.client),sha1 if limited
  http-request track-sc0 var(txn.client) table clients if limited
  http-request set-var(txn.spent) sc_gpc0_rate(0),sub(txn.rate) if limited
  http-request return status 429 content-type "${TEXT}" string "${SENTENCE.tooMany}" hdr Retry-After 60 if limited { var(txn.spent) -m int ge 0 }
  http-request sc-inc-gpc0(0) if limited
  acl maintained ${test('maintenance')}
  http-request set-var(txn.page) ${valueOf('page')},url_dec if maintained
  http-request set-var(txn.maintenance) ${valueOf('maintenance')},url_dec if maintained
  http-request return status 503 content-type "${HTML}" lf-string "${MAINTENANCE_PAGE}" hdr Retry-After ${MAINTENANCE_RETRY_S} if maintained { req.hdr(accept) -m sub text/html }
  http-request return status 503 content-type "${TEXT}" lf-string "%[var(txn.maintenance)]\\n" hdr Retry-After ${MAINTENANCE_RETRY_S} if maintained
  acl locked ${test('password')}
  http-request set-var(txn.user) req.hdr(authorization),word(2,' '),b64dec if locked
  http-request set-var(txn.salt) ${valueOf('salt')},url_dec if locked
  http-request set-var(txn.user) var(txn.salt),concat(,txn.user),sha2(256),hex,lower if locked
  http-request set-var(txn.user) ${RULES_ID},concat(.user-,txn.user),map(${RULES_MAP},no) if locked
  http-request return status 401 content-type "${TEXT}" string "${SENTENCE.signIn}" hdr WWW-Authenticate 'Basic realm="This host", charset="UTF-8"' if locked !{ var(txn.user) -m str 1 }
  http-request del-header Authorization if locked
  http-request set-var(txn.headers) ${valueOf('headers')} if ${says('headers')}
  http-response lua.headers if { var(txn.headers) -m found }`;
