/**
 * Interface of the proxy, which receives all HTTP requests for apps. `sync` saves the state to disk first, so that the
 * proxy can restart without the daemon.
 */

/** Container of an app to which the proxy sends requests. Its name `i<number>` is never reused for another address. */
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
   * URL path of the route. Default: `/`. `/shop` does not match `/shopping`. The longest match has priority. The app
   * gets the complete path.
   */
  path?: string;
  slot: number;
  /** Rules that the proxy applies to requests to the host. Default: none. */
  rules?: RouteRules;
}

/**
 * Rules of a host, in the order redirectTo, httpsOnly, allow, requestsPerMinute, maintenance, basicAuth. `null`, empty
 * or false turns a rule off.
 */
export interface RouteRules {
  /** `true` if the proxy redirects HTTP requests (status 308) to HTTPS. */
  httpsOnly: boolean;
  /** Value of the response header `Strict-Transport-Security`. The proxy sets this header only on HTTPS responses. */
  hsts: string | null;
  /**
   * Host name to which all requests are redirected (status 308), with path and query. The redirect uses HTTPS if the
   * request used HTTPS, or if `httpsOnly` is `true`.
   */
  redirectTo: string | null;
  /**
   * Basic authentication. Each hash is the SHA-256 of `<salt><user>:<password>` in lower-case hexadecimal. If the list
   * of hashes is empty, all requests are rejected. The salt has 1 to 200 characters.
   */
  basicAuth: { salt: string; hashes: string[] } | null;
  /**
   * IP addresses and CIDR networks of allowed clients. Others get status 403. Trusted proxies can report the client's
   * address.
   */
  allow: string[];
  /**
   * Maximum requests per minute (at least 1) of one client address or IPv6 /64 network. Further requests get status
   * 429.
   */
  requestsPerMinute: number | null;
  /**
   * Text of the maintenance page, at most 1,000 characters. If it is set, the proxy responds to all requests with
   * status 503 and this text.
   */
  maintenance: string | null;
  /**
   * Headers that the proxy sets on responses of the app only. An empty value removes the header. All headers together
   * are at most 8,000 ASCII characters. Headers such as `Connection` are not allowed.
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
   * Returns certificate chain and private key in PEM. Called only for new certificates, so that the daemon holds few
   * private keys in memory.
   */
  pem: () => string;
}

/**
 * Trusted proxies in front of Davit's proxy. `forwardedFor` and `proxyProtocol` each contain at most 100 CIDR networks.
 */
export interface TrustedProxies {
  /**
   * CIDR networks of proxies whose `X-Forwarded-For` is trusted. The client's address is the rightmost one outside
   * these networks.
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
   * TLS certificates. For a host in several certificates, the last one applies. Hosts without a certificate get a
   * self-signed one.
   */
  certificates?: RouteCertificate[];
  /**
   * Responses to ACME challenges. The proxy sends them over plain HTTP on all hosts, before it applies any rule. A
   * token contains only `A-Z a-z 0-9 _ -`. A response can also contain `.`.
   */
  challenges?: { token: string; answer: string }[];
}

/** Problem with a server: the proxy does not report this server as up. The field `reason` says why. */
export type SyncProblem = { slot: number; server: string; reason: string };

/** Reason why the proxy does not use a TLS certificate. The rest of the route table is still applied. */
export type CertificateProblem = { name: string; reason: string };

export interface SyncReport {
  /** `true` if the proxy was reloaded during this sync. */
  reloaded: boolean;
  /**
   * Active servers of the route table that are not up. If the list is empty, all new requests follow the route table.
   */
  problems: SyncProblem[];
  /**
   * TLS certificates that the proxy does not serve. Their hosts keep the previous certificate or get the self-signed
   * one.
   */
  certificateProblems: CertificateProblem[];
  /**
   * Message that says why registry clients on this server cannot connect to the registry. Absent if there is no
   * problem.
   */
  registryProblem?: string;
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
   * Makes sure that the proxy runs with the state, if necessary in a new container. The container serves apps even
   * without the daemon.
   */
  ensure(table: RouteTable): Promise<ProxyStatus>;
  /**
   * Applies the route table. Resolves when each new server has responded or failed. If several route tables are
   * waiting, applies only the newest one.
   * @throws ProxyUnavailable if the proxy does not respond. The route table is then already on disk.
   */
  sync(table: RouteTable): Promise<SyncReport>;
  /**
   * Call this after Docker reported an event of the proxy's container. Resumes a paused container. The next `sync` or
   * `ensure` checks the container.
   */
  distrust(): void;
  /** Returns the number of open connections to a server. Returns 0 for an unknown server. */
  openSessions(slot: number, server: string): Promise<number>;
  status(): Promise<ProxyStatus>;
}
