/**
 * Interface of the proxy, which receives all HTTP requests for apps.
 *
 * `sync` applies a complete desired state. It first writes the state to disk, so that a proxy that restarts without the
 * daemon serves the same routes. It then changes the running proxy, if possible without a reload. Several changes that
 * need a reload share one reload. Deployments, new hosts and repairs after a crash all use `sync`.
 */

/**
 * Container of an app to which the proxy sends requests. The name has the form `i<number>`. A name is never used again
 * for a container with another address.
 */
export interface RouteServer {
  name: string;
  address: string;
  port: number;
  /**
   * State of the app's container. A `draining` container gets no new requests, but its open requests can still finish.
   */
  state: 'active' | 'draining';
}

/** Containers that serve one port of an app with one protocol. */
export interface RouteBackend {
  /** Number that identifies the app in the proxy, starting at 1. The app keeps this number until it is deleted. */
  slot: number;
  /**
   * Name of the app in the form `project/environment/app`. The proxy's configuration file contains the name as a
   * comment.
   */
  app: string;
  protocol: 'http' | 'h2c';
  servers: RouteServer[];
}

/**
 * Route from a host name in lower case to the app that serves its requests. If `path` is set, only requests for this
 * path go to the app.
 */
export interface RouteHost {
  host: string;
  /**
   * URL path of the route. Default: `/`, which matches every path. `/shop` matches `/shop`, `/shop/…` and `/shop?x`,
   * but not `/shopping`. The longest matching path has priority. The app receives the complete path.
   *
   * A path segment consists of `A-Z a-z 0-9 . _ ~ @ : + = ! $ & ( ) , * -` and must not be `.` or `..`. The path must
   * not end with a slash.
   */
  path?: string;
  slot: number;
  /** Rules that the proxy applies to requests to the host. Default: none. */
  rules?: RouteRules;
}

/**
 * Rules of a host, such as a redirect or a rate limit. The proxy applies them in this order: redirectTo, httpsOnly,
 * allow, requestsPerMinute, maintenance, basicAuth. A rule is off if its value is `null`, empty or false. Strings must
 * not contain control characters.
 */
export interface RouteRules {
  /** `true` if the proxy redirects HTTP requests (status 308) to HTTPS. */
  httpsOnly: boolean;
  /** Value of the response header `Strict-Transport-Security`. The proxy sets this header only on HTTPS responses. */
  hsts: string | null;
  /**
   * Host name to which the proxy redirects all requests (status 308), with their path and query. The redirect uses
   * HTTPS if the request used HTTPS, or if `httpsOnly` is set.
   */
  redirectTo: string | null;
  /**
   * Users of HTTP basic authentication. Each hash is the SHA-256 of `<salt><user>:<password>` in lower-case
   * hexadecimal. If `hashes` is empty, all requests are rejected. The salt has 1 to 200 characters. The proxy does not
   * forward the `Authorization` header to the app.
   */
  basicAuth: { salt: string; hashes: string[] } | null;
  /**
   * IP addresses and CIDR networks of allowed clients. The proxy responds to requests from other addresses with
   * status 403. The client's address is the address of the TCP connection, or the address that a trusted proxy
   * reports.
   */
  allow: string[];
  /**
   * Maximum number of requests per minute (at least 1) that one client address can send to the host. IPv6 clients in
   * the same /64 network count as one client. The proxy responds to further requests with status 429.
   */
  requestsPerMinute: number | null;
  /**
   * Text of the maintenance page, at most 1,000 characters. If it is set, the proxy responds to all requests with
   * status 503 and this text.
   */
  maintenance: string | null;
  /**
   * Headers that the proxy sets on responses of the app, but not on its own responses. An empty value removes a
   * header. Names and values are ASCII and have at most 8,000 characters together. Headers that control the transfer,
   * for example `Content-Length` and `Connection`, are not allowed.
   */
  headers: Record<string, string>;
}

/** TLS certificate and the host names for which the proxy uses it. */
export interface RouteCertificate {
  /** Name of the certificate, made of letters, digits and dashes. It is never reused for another certificate. */
  name: string;
  /**
   * Host names of the certificate in lower case. The prefix `*.` stands for exactly one label, as in `*.example.org`.
   */
  hosts: string[];
  /**
   * Returns the certificate chain and private key in PEM format. The proxy calls this function only for certificates
   * that it does not have yet. The daemon therefore does not hold thousands of private keys in memory.
   */
  pem: () => string;
}

/**
 * Trusted proxies in front of Davit's proxy. `forwardedFor` and `proxyProtocol` each contain at most 100 CIDR networks.
 */
export interface TrustedProxies {
  /**
   * CIDR networks of the proxies whose `X-Forwarded-For` header is trusted. The client's address is the rightmost
   * address in this header that is not in these networks.
   */
  forwardedFor: string[];
  /**
   * CIDR networks of the trusted proxies that use the PROXY protocol. Each connection from such a proxy starts with a
   * PROXY protocol header.
   */
  proxyProtocol: string[];
}

/** Maximum number of app backends in the proxy. HAProxy needs 92 MB for 5,000 backends. */
export const MOST_BACKENDS = 50_000;

/** Complete desired state of the proxy: its backends, host names, rules and TLS certificates. */
export interface RouteTable {
  /** Host name of the Davit instance. The daemon serves the dashboard and the API under this host name. */
  domain: string;
  /**
   * Request rules for the host name of the Davit instance, such as HTTPS redirects, allowed IP addresses and rate
   * limits. Default: none.
   */
  domainRules?: RouteRules;
  /** IP address and port on which Davit's daemon listens for requests from the proxy. */
  api: { address: string; port: number };
  /**
   * Public host name and listening address of the Davit instance's registry. If absent or `null`, the proxy does not
   * serve the registry.
   */
  registry?: { host: string; address: string; port: number } | null;
  /** Trusted proxies in front of Davit's proxy. Default: none. A change requires a reload. */
  trustedProxies?: TrustedProxies;
  backends: RouteBackend[];
  hosts: RouteHost[];
  /**
   * TLS certificates. If several certificates contain the same host, the proxy uses the last one in the list for this
   * host. Hosts without a certificate get a self-signed certificate.
   */
  certificates?: RouteCertificate[];
  /**
   * Responses to ACME challenges below `/.well-known/acme-challenge/`. The proxy serves them over plain HTTP on all
   * hosts, before it applies any rules. Tokens consist of `A-Z a-z 0-9 _ -`. Responses can also contain `.`.
   */
  challenges?: { token: string; answer: string }[];
}

/** Problem with a server: the proxy does not report this server as up. The field `reason` says why. */
export type SyncProblem = { slot: number; server: string; reason: string };

/**
 * Problem with a TLS certificate: the proxy does not use this certificate. The field `reason` says why. The proxy still
 * applies the rest of the route table.
 */
export type CertificateProblem = { name: string; reason: string };

export interface SyncReport {
  /** `true` if the proxy was reloaded during this sync. */
  reloaded: boolean;
  /**
   * Servers that are not up, although the route table contains them as active. If the list is empty, the proxy handles
   * all new requests as the route table says.
   */
  problems: SyncProblem[];
  /**
   * TLS certificates that the proxy does not serve. The hosts of such a certificate keep their previous certificate,
   * or get the self-signed default certificate.
   */
  certificateProblems: CertificateProblem[];
}

export interface ProxyStatus {
  kind: 'haproxy' | 'memory';
  running: boolean;
  version: string | null;
  /** Number of times that the proxy was reloaded or its container replaced since the daemon started. */
  reloads: number;
  /**
   * Error message that says why the proxy is not running, or could not be replaced. `null` if there is no problem.
   */
  problem: string | null;
}

/** Error for a proxy that cannot be started or reached. The message says what the user can do. */
export class ProxyUnavailable extends Error {
  override name = 'ProxyUnavailable';
}

export interface Proxy extends AsyncDisposable {
  /**
   * Makes sure that the proxy runs with the given state. Keeps a running proxy container if its image and settings are
   * current. Otherwise a new container replaces it. The container keeps running after this object is disposed, so that
   * the proxy serves apps even without the daemon.
   */
  ensure(table: RouteTable): Promise<ProxyStatus>;
  /**
   * Applies the route table. Resolves when each new server responds or has failed. Until then, the old servers get the
   * requests. If several calls wait, the proxy applies only the newest route table.
   * @throws ProxyUnavailable if the proxy cannot be reached. The route table is already saved on disk
   */
  sync(table: RouteTable): Promise<SyncReport>;
  /**
   * Call this method after Docker has reported an event of the proxy's container. If the container is paused, the
   * method resumes it at once, because a paused proxy does not respond. The next `sync` or `ensure` call checks the
   * container before it sends commands.
   */
  distrust(): void;
  /** Returns the number of open connections to a server. Returns 0 for an unknown server. */
  openSessions(slot: number, server: string): Promise<number>;
  status(): Promise<ProxyStatus>;
}
