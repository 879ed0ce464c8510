/**
 * Pure functions that create HAProxy's frontend. The frontend does not depend on apps, because HAProxy reads hosts and
 * paths from map files. Conditions that are usually false come first, so that HAProxy checks fewer conditions.
 */
import type { TrustedProxies } from '../proxy.ts';
import type { AccessLogLines, AccessNames } from './access-log.ts';
import { CERTIFICATE_LIST, CHALLENGES_MAP, FOLDER, HAS_PATHS, ROUTES_MAP, RULES_MAP, SESSION_COOKIE } from './names.ts';
import { PUBLIC_CHALLENGE, PUBLIC_TAGS } from './registry-front.ts';
import { LETTER } from './rules.ts';
import { HTML, MAINTENANCE_PAGE, SENTENCE, TEXT } from './sentences.ts';

/** Maximum size in bytes of all headers of a request. */
export const MAX_HEADER_BYTES = 32 * 1024;

/** Addresses on which HAProxy listens for HTTP or HTTPS requests. */
export interface Entrance {
  /** Arguments of the HAProxy keyword `bind`, for example `*:80`. */
  binds: string[];
  /** Public port for HTTP or HTTPS. HAProxy uses this port in the URLs of redirects. */
  port: number;
}

export interface Entrances {
  http: Entrance;
  https: Entrance;
}

/**
 * Names of the HAProxy frontend and of two HAProxy variables. The access log contains the values of these variables.
 */
export const ACCESS_NAMES: AccessNames = { frontend: 'web', backend: 'txn.backend', host: 'txn.host' };

/**
 * Unix sockets on which an old HAProxy worker forwards requests to the new worker. The PROXY protocol transmits the
 * address and port of the client.
 */
const RELAY = { http: `${FOLDER}/relay.sock`, https: `${FOLDER}/relay-tls.sock` } as const;
const MAINTENANCE_RETRY_S = 300;

/**
 * Returns the frontend for HTTP and HTTPS, and the backends that only this frontend uses.
 * @param log access log configuration, or `null` to disable the access log
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
  /*
   * HAProxy rules distinguish HTTP and HTTPS by the name of the socket. `set-src` converts addresses such as `::ffff:…`
   * to IPv4. Address lists and rate limits then treat both forms as one client.
   */
  return `frontend ${ACCESS_NAMES.frontend} from heard
${http.binds.map((bind) => `  bind ${bind} name http`).join('\n')}
${https.binds.map((bind) => `  bind ${bind} name https ssl crt-list ${CERTIFICATE_LIST} alpn h2,http/1.1`).join('\n')}
  ${relay(RELAY.http)} name http
  ${relay(RELAY.https)} name https
  tcp-request connection set-src src,regsub(^::ffff:,)
${linesOf(client.connection)}  option idle-close-on-response
${linesOf(log?.frontend)}${ROUTING}
${linesOf(log?.rules)}${linesOf(client.request)}${forwarding(client.address)}
${PUBLIC_CHALLENGE}
${redirects(http, https)}
${rules(client.address)}
  use_backend successor-tls if { stopping } tls
  use_backend successor if { stopping }
${PUBLIC_TAGS}
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
 * HAProxy expression that normalizes a URL path in the same way as some apps. For example, these apps decode the path
 * before they search for `?`, or remove spaces at the end of the path.
 */
const AS_READ =
  'path,url_dec,regsub([?#].*,),regsub([ \\\\xa0]+$,),regsub(\\\\\\\\,/,g),regsub(;[^/]*,,g),regsub(/+,/,g)';

/**
 * Regular expression for decoded URL paths that different apps can interpret differently. For example, such paths
 * contain `//` at the start, dot segments, spaces around segments, percent-encodings or control characters.
 */
const AMBIGUOUS = '^/[/\\\\]|[/\\\\]\\.\\.?([/\\\\;?#]|$)|[/\\\\] | ([/\\\\;?#]|$)|%[0-9A-Fa-f]{2}|[[:cntrl:]]';

/**
 * Regular expression for an HTTP request target without a path. Such a target has the same meaning as the path `/` (RFC
 * 9112, 3.2.2).
 */
const ROOT = '^https?://[A-Za-z0-9._:-]+$';

/**
 * Regular expression for a valid `Host` header: a host name or an address in brackets, with an optional port. Examples:
 * `shop.example.org:8443`, `[2001:db8::1]`. The length is limited, because HAProxy also writes the host to
 * `X-Forwarded-Host`, and its buffer must have space for both headers.
 */
const HOST = '^([A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:.]{2,45}\\])(:[0-9]{0,5})?$';

/**
 * HAProxy rules that find the backend of a request:
 * - `CONNECT` requests are rejected, because the connection would become a tunnel without any rules. WebSocket over
 * HTTP/2 still works, because HAProxy treats such a request as a `GET` (RFC 8441).
 * - A request without a valid host is rejected before the route lookup. Keys of the route map consist of host and path,
 * so a slash in the host could select the route of another path. The rule checks the whole `Host` header, because
 * HAProxy would otherwise treat a comma as a separator and ignore a part.
 * - A request target without a path is rejected, because rules are found by the path. Targets such as `OPTIONS *` are
 * allowed, and the rules of `/` apply to them.
 * - An HAProxy worker that is shutting down looks up no routes and applies no rules, because its routes are outdated.
 * - ACME challenges have priority on all hosts, but only over plain HTTP.
 * - On hosts that have routes for paths, an unusual path is decoded and normalized before the route lookup. Otherwise,
 * a percent-encoded character or a double slash could bypass the rules of `/admin`.
 * - On the same hosts, ambiguous paths are rejected. Paths with an invalid percent-encoding are rejected too, because
 * HAProxy would decode nothing and apps would decode the valid parts.
 * - Headers above the documented limit are rejected while they fit into HAProxy's buffer. `req.len` avoids the slower
 * comparison for nearly all requests.
 */
const ROUTING = `  acl tls so_name https
  acl paths var(txn.route) -m sub ${HAS_PATHS}
  acl odd path -m sub // ; % "#" "\\\\" "\\x7f" /./ /../
  acl odd path -m end /. /.. "\\xa0"
  http-request return status 405 content-type "${TEXT}" string "${SENTENCE.noTunnel}" hdr Allow "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" if METH_CONNECT
  http-request return status 431 content-type "${TEXT}" string "${SENTENCE.longHeaders}" if { req.len gt ${MAX_HEADER_BYTES} } { req.hdrs,length gt ${MAX_HEADER_BYTES} }
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

/**
 * HAProxy condition that is true for backends of apps and of the registry. The condition is false for the dashboard and
 * the API.
 */
const NOT_OWN = '{ var(txn.backend) -m beg b r }';

/**
 * Pattern for request headers that HAProxy replaces, because clients can forge them. Some apps treat `_` like `-` in
 * header names, or read the header `Proxy` as the environment variable `HTTP_PROXY`.
 */
export const PROXY_HEADERS =
  '^x[^a-z0-9](forwarded[^a-z0-9].*|real[^a-z0-9]ip|(original|rewrite)[^a-z0-9]url)$|^proxy$';

/**
 * HAProxy rules that protect the dashboard session and set forwarding headers:
 * - The session cookie of the dashboard is removed from requests to apps, because browsers send a cookie to every port
 * of a host.
 * - The session cookie is also removed from responses of apps. An app's host name is a subdomain of the dashboard's
 * host name, so the app could set a cookie for both. For the same reason, a later rule removes `Clear-Site-Data`. With
 * this header, an app could delete the cookies of both hosts.
 * - Apps may upgrade a connection only to WebSocket, and only if the client requested the upgrade. After a response
 * with status 101, the connection is a tunnel without rules, and other protocols could carry HTTP requests in the
 * tunnel. The rule compares the whole `Upgrade` header. Otherwise, HAProxy could overlook a quoted word in the header
 * that the app still reads.
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
  /** HAProxy rules that run once per TCP connection. The rules in the field `request` run once per HTTP request. */
  connection: string[];
  request: string[];
  /** HAProxy expression for the client's IP address. All rules and forwarding headers use this expression. */
  address: string;
}

/** Maximum number of networks in one line of the HAProxy configuration. HAProxy allows only 64 words in a line. */
const NETWORKS_A_LINE = 30;

/**
 * Returns the HAProxy rules that determine the IP address of a client. Behind a trusted proxy, the rules run for each
 * request, because several clients can share a connection.
 */
function clientOf({ forwardedFor, proxyProtocol }: TrustedProxies, containerNetworks: string[]): Client {
  if (forwardedFor.length + proxyProtocol.length === 0) return { connection: [], request: [], address: 'src' };
  const acl = (name: string, networks: string[]) =>
    networks.flatMap((_, n) =>
      n % NETWORKS_A_LINE === 0 ? [`acl ${name} src ${networks.slice(n, n + NETWORKS_A_LINE).join(' ')}`] : [],
    );
  // Containers of this Davit instance are never trusted as proxies, because any user can deploy code in containers.
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

/**
 * Returns an HAProxy condition. The condition is true if the host of the request has the given rule, for example a rate
 * limit.
 */
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
 * HAProxy rules of a host, such as its rate limit. The rules use a forwarded client address only if a trusted proxy
 * sent the address. The rate limit ignores requests that HAProxy rejects.
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
