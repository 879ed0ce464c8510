/**
 * Frontend of the proxy: the handling of every request before an app gets it. Pure.
 *
 * A socket for both protocols shows an IPv4 address as an IPv6 address. The frontend converts the address back to IPv4,
 * so that lists and counters treat both forms as one address.
 *
 * HTTP and HTTPS share one frontend and differ in the name of the listening socket. The rules look up values in maps by
 * the host and path of the request. The lines therefore do not depend on the apps of the instance. Most hosts have no
 * rules, or only HTTPS, and their processing ends early. Other rules cost time only for hosts that use them. Each line
 * is evaluated for every request that reaches it, so its first condition is the condition that fails most often.
 */
import type { TrustedProxies } from '../proxy.ts';
import type { AccessLogLines, AccessNames } from './access-log.ts';
import { CERTIFICATE_LIST, CHALLENGES_MAP, FOLDER, HAS_PATHS, ROUTES_MAP, RULES_MAP, SESSION_COOKIE } from './names.ts';
import { LETTER } from './rules.ts';
import { HTML, MAINTENANCE_PAGE, SENTENCE, TEXT } from './sentences.ts';

/** Listening addresses of one protocol. */
export interface Entrance {
  /** Addresses in the format of `bind`, for example `*:80`. */
  binds: string[];
  /** Port that URLs contain. */
  port: number;
}

export interface Entrances {
  http: Entrance;
  https: Entrance;
}

/** Names from which the lines of the access log get their values. */
export const ACCESS_NAMES: AccessNames = { frontend: 'web', backend: 'txn.backend', host: 'txn.host' };

/** Sockets through which a stopping worker forwards requests to its successor, with the client's address and port. */
const RELAY = { http: `${FOLDER}/relay.sock`, https: `${FOLDER}/relay-tls.sock` } as const;
const MAINTENANCE_RETRY_S = 300;

/**
 * Returns the frontend section and the sections that belong to it.
 * @param log lines of the access log, or `null` for no access log
 */
export function frontend(
  { http, https }: Entrances,
  workerId: number,
  log: AccessLogLines | null,
  trusted: TrustedProxies,
  containerNetworks: string[],
): string {
  const client = clientOf(trusted, containerNetworks);
  const relay = (path: string) => `bind unix@${path} accept-proxy mode 600 uid ${workerId} gid ${workerId}`;
  return `frontend ${ACCESS_NAMES.frontend} from heard
${http.binds.map((bind) => `  bind ${bind} name http`).join('\n')}
${https.binds.map((bind) => `  bind ${bind} name https ssl crt-list ${CERTIFICATE_LIST} alpn h2,http/1.1`).join('\n')}
  ${relay(RELAY.http)} name http
  ${relay(RELAY.https)} name https
  tcp-request connection set-src src,regsub(^::ffff:,)
${linesOf(client.connection)}  option idle-close-on-response
${linesOf(log?.frontend)}${ROUTING}
${linesOf(log?.rules)}${linesOf(client.request)}${forwarding(client.address)}
${redirects(http, https)}
${rules(client.address)}
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
/**
 * Path as an app reads it. Some apps decode the path before they search for the query, and some remove Latin-1 spaces
 * at its end.
 */
const AS_READ =
  'path,url_dec,regsub([?#].*,),regsub([ \\\\xa0]+$,),regsub(\\\\\\\\,/,g),regsub(;[^/]*,,g),regsub(/+,/,g)';

/**
 * Parts of a path that apps read in different ways, in a path without escapes: a second slash at the start, after which
 * URL parsers expect a host; dot segments; spaces at an end of a segment, which some apps remove; an escape in an
 * escape; control characters.
 */
const AMBIGUOUS = '^/[/\\\\]|[/\\\\]\\.\\.?([/\\\\;?#]|$)|[/\\\\] | ([/\\\\;?#]|$)|%[0-9A-Fa-f]{2}|[[:cntrl:]]';

/** Request target without a path, which means `/` (RFC 9112, 3.2.2). */
const ROOT = '^https?://[A-Za-z0-9._:-]+$';

/** Host name or address in brackets with an optional port: `shop.example.org:8443`, `[2001:db8::1]`. */
const HOST = '^([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]*)?$';

/**
 * Rules that find the route of a request:
 * - `CONNECT` would turn the connection into a tunnel without rules, so it is rejected. A WebSocket over HTTP/2 appears
 *   as a `GET` (RFC 8441).
 * - A request with an invalid host is rejected before any lookup. The keys of routes consist of host and path, so a
 *   slash in the host could select the key of another path. The rule checks the whole header, because a comma would
 *   hide a part of it.
 * - A target without a path is rejected, because rules are found by the path. Valid targets of this kind, for example
 *   `OPTIONS *`, are accepted, and the rules of `/` apply.
 * - A stopping worker has outdated routes. Such a worker searches for no route, so none of its rules apply.
 * - Challenges of certificate authorities have priority for all hosts, over plain HTTP only.
 * - On a host with paths, the lookup of an unusual path uses the path as an app would read it. Otherwise an escape or a
 *   double slash could bypass the rules of `/admin`. Ambiguous paths are rejected. Paths with an invalid escape are
 *   rejected, too, because the proxy would decode nothing while apps decode the rest.
 */
const ROUTING = `  acl tls so_name https
  acl paths var(txn.route) -m sub ${HAS_PATHS}
  acl odd path -m sub // ; % "#" "\\\\" "\\x7f" /./ /../
  acl odd path -m end /. /.. "\\xa0"
  http-request return status 405 content-type "${TEXT}" string "${SENTENCE.noTunnel}" hdr Allow "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" if METH_CONNECT
  http-request return status 400 content-type "${TEXT}" string "${SENTENCE.badHost}" unless { req.fhdr(host) -m reg '${HOST}' }
  http-request return status 400 content-type "${TEXT}" string "${SENTENCE.badPath}" unless { path_beg / } || { url -m reg -i '${ROOT}' } || { method OPTIONS } { url -m str * }
  http-request disable-l7-retry unless { method GET HEAD OPTIONS }
  http-request return status 200 content-type "text/plain" lf-string "%[${CHALLENGE}]" if !tls { path_beg /.well-known/acme-challenge/ } !{ stopping } { ${CHALLENGE} -m found }
  http-request set-var(txn.path) path
  http-request set-var(txn.host) req.hdr(host),host_only,lower,rtrim(.)
  http-request set-var(txn.route) ${ROUTE} unless { stopping }
  http-request return status 400 content-type "${TEXT}" string "${SENTENCE.badPath}" if paths odd !{ path,url_dec -m found } || paths odd { path,url_dec -m reg '${AMBIGUOUS}' }
  http-request set-var(txn.path) '${AS_READ}' if paths odd
  http-request set-var(txn.route) ${ROUTE} if paths odd
  http-request set-var(txn.backend) var(txn.route),field(1,|)`;

/** Condition that is true for backends of apps and of the registry, but not for the dashboard. */
const NOT_OWN = '{ var(txn.backend) -m beg b r }';

/**
 * Headers from which an app learns the client's address, scheme, host and path. The proxy removes them and then sets
 * its own. Variants with other characters are included, because an app that reads headers as CGI variables cannot
 * distinguish `X_Forwarded_For` from `X-Forwarded-For`. Such an app also reads the header `Proxy` as the variable
 * `HTTP_PROXY`.
 */
const PROXY_HEADERS = '^x[^a-z0-9](forwarded[^a-z0-9].*|real[^a-z0-9]ip|(original|rewrite)[^a-z0-9]url)$|^proxy$';

/**
 * Rules that protect sessions and set headers:
 * - Only the dashboard receives the dashboard's session cookie. Browsers send the cookie to every port of a host, so
 *   apps would receive it, too.
 * - Only the dashboard may set the session cookie. The host of an app is below the dashboard's host, so an app could
 *   set a cookie for both. The header `Clear-Site-Data` of an app would clear the cookies of both hosts, so a later
 *   rule removes it.
 * - Apps may switch only to the WebSocket protocol, and only if the client requested it. After a response 101, the
 *   connection is a tunnel without rules, and other protocols may carry HTTP requests. Any other response 101 is rejected. The rule checks the
 *   whole header, because quotes would hide a word of a list from the proxy but not from apps.
 */
const forwarding = (
  client: string,
) => `  http-request lua.without_session if { req.fhdr(cookie) -m sub ${SESSION_COOKIE} } ${NOT_OWN}
  http-response lua.no_session if { res.fhdr(set-cookie) -m sub ${SESSION_COOKIE} } ${NOT_OWN}
  http-request del-header HTTP2-Settings
  acl websocket req.fhdr(upgrade) -m sub -i websocket
  http-request set-header Upgrade websocket if websocket
  http-request del-header Upgrade unless websocket
  http-request set-var(txn.websocket) bool(true) if websocket
  http-response deny deny_status 502 if { status 101 } !{ res.fhdr(upgrade) -m str -i websocket } || { status 101 } !{ var(txn.websocket) -m bool }
  http-request del-header Forwarded
  http-request del-header '${PROXY_HEADERS}' -m reg
  http-request set-header X-Forwarded-For %[${client}]
  http-request set-header X-Forwarded-Proto %[so_name]
  http-request set-header X-Forwarded-Port %[dst_port]
  http-request set-header X-Forwarded-Host %[req.hdr(host)]
  http-request set-header X-Real-IP %[${client}]
  http-request return status 404 content-type "${TEXT}" string "${SENTENCE.noApp}" if { var(txn.backend) -m str none }`;

interface Client {
  /** Lines that are evaluated at each connection. The lines in `request` are evaluated at each request. */
  connection: string[];
  request: string[];
  /** Sample expression for the client's address in all rules and headers. */
  address: string;
}

/** Maximum number of networks in one line. A line has at most 64 words. */
const NETWORKS_A_LINE = 30;

/**
 * Returns the rules that find the client's address. Without trusted proxies, the client is the peer of the connection.
 * Otherwise a variable holds the address for one request, because the connection of a trusted proxy carries requests of
 * many clients.
 *
 * A container of this instance is never a trusted proxy. A container's own address may be in a trusted network, and the
 * container runs code that any user of the instance deploys.
 */
function clientOf({ forwardedFor, proxyProtocol }: TrustedProxies, containerNetworks: string[]): Client {
  if (forwardedFor.length + proxyProtocol.length === 0) return { connection: [], request: [], address: 'src' };
  const acl = (name: string, networks: string[]) =>
    networks.flatMap((_, n) =>
      n % NETWORKS_A_LINE === 0 ? [`acl ${name} src ${networks.slice(n, n + NETWORKS_A_LINE).join(' ')}`] : [],
    );
  const expected =
    proxyProtocol.length === 0 ? [] : ['tcp-request connection expect-proxy layer4 if proxied !contained'];
  const believed =
    forwardedFor.length === 0
      ? []
      : [
          `http-request lua.client ${forwardedFor.join(',')} ${containerNetworks.join(',')} if forwarded !contained { req.fhdr(x-forwarded-for) -m found }`,
        ];
  return {
    connection: [...acl('contained', containerNetworks), ...acl('proxied', proxyProtocol), ...expected],
    request: [
      ...acl('forwarded', forwardedFor),
      'http-request set-var(txn.address) src,regsub(^::ffff:,)',
      ...believed,
    ],
    address: 'var(txn.address)',
  };
}

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

/** Returns the condition that is true if the request's host has the rule. */
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
 * Rules of hosts:
 * - The client's address is the peer of the connection, or the address that a trusted proxy states. Statements of
 *   clients are not trusted.
 * - Only accepted requests count towards the rate, so that a client that waits is accepted again.
 * - A password is looked up by its hash. The app does not get the header.
 */
const rules = (client: string) => `  acl listed ${test('allow')}
  http-request set-var(txn.allow) ${valueOf('allow')} if listed
  http-request set-var(txn.within) ${client},concat(|,txn.allow),lua.within if listed
  http-request return status 403 content-type "${TEXT}" string "${SENTENCE.notAllowed}" if listed !{ var(txn.within) -m str 1 }
  acl limited ${test('rate')}
  http-request set-var(txn.rate) ${valueOf('rate')} if limited
  http-request set-var(txn.client) ${client},ipmask(32,64) if limited
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
  http-response lua.headers if { var(txn.headers) -m found }
  http-response del-header Clear-Site-Data if { res.fhdr(clear-site-data) -m reg -i 'cookies|\\*' } ${NOT_OWN}`;
