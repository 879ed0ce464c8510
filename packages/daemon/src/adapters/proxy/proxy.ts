/**
 * Interface of the proxy that receives all HTTP requests to apps. `sync` first saves the desired state to disk, so that
 * the proxy can restart without the daemon.
 */

/**
 * Container of an app to which the proxy sends requests. The container has the name `i<number>`, which is never reused
 * for another address.
 */
export interface RouteServer {
  name: string;
  address: string;
  port: number;
  /**
   * State of the app's container. A `draining` container receives no new requests, but can finish its open requests.
   */
  state: 'active' | 'draining';
}

/** Containers that serve one port of an app with one protocol. */
export interface RouteBackend {
  /** Number of the app in the proxy, starting at 1. The app keeps this number until it is deleted. */
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
   * URL path of the route. Default: `/`. The path `/shop` does not match `/shopping`. The longest matching path has
   * priority. The app receives the complete path.
   */
  path?: string;
  slot: number;
  /** Rules that the proxy applies to requests to the host. Default: none. */
  rules?: RouteRules;
}

/**
 * Rules of a host, in the order in which the proxy applies them: redirectTo, httpsOnly, allow, requestsPerMinute,
 * maintenance, basicAuth. `null`, an empty value or `false` disables a rule.
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
   * IP addresses and CIDR networks of allowed clients. All other clients get status 403. Trusted proxies can forward
   * the address of a client.
   */
  allow: string[];
  /**
   * Maximum number of requests per minute (at least 1) for one client address or IPv6 /64 network. Further requests get
   * status 429.
   */
  requestsPerMinute: number | null;
  /**
   * Text of the maintenance page, at most 1,000 characters. If the text is set, the proxy responds to all requests with
   * status 503 and this text.
   */
  maintenance: string | null;
  /**
   * Headers that the proxy sets on responses of the app. An empty value removes the header. All headers together have
   * at most 8,000 ASCII characters. Headers such as `Connection` are not allowed.
   */
  headers: Record<string, string>;
}

/** TLS certificate and the host names for which the proxy uses it. */
export interface RouteCertificate {
  /**
   * Name of the certificate, which contains letters, digits and dashes. The name is never reused for another
   * certificate.
   */
  name: string;
  /**
   * Host names of the certificate in lower case. The prefix `*.` matches exactly one label, for example in
   * `*.example.org`.
   */
  hosts: string[];
  /**
   * Returns the certificate chain and the private key in PEM format. The function is called only for new certificates,
   * to limit the number of private keys in the daemon's memory.
   */
  pem: () => string;
}

/**
 * Trusted proxies in front of Davit's own proxy. `forwardedFor` and `proxyProtocol` each contain at most 100 CIDR
 * networks.
 */
export interface TrustedProxies {
  /**
   * CIDR networks of proxies whose header `X-Forwarded-For` is trusted. The address of the client is the rightmost
   * address in this header that is outside these networks.
   */
  forwardedFor: string[];
  /**
   * CIDR networks of trusted proxies that use the PROXY protocol. Each connection from such a proxy starts with a PROXY
   * protocol header.
   */
  proxyProtocol: string[];
}

/** Maximum number of app backends in the proxy. HAProxy needs 92 MB for 5,000 backends. */
export const MOST_BACKENDS = 50_000;

/** Complete desired state of the proxy: its backends, host names, rules and TLS certificates. */
export interface RouteTable {
  /** Host name of the Davit instance. The daemon provides the dashboard and the API under this host name. */
  domain: string;
  /**
   * Request rules for the host name of the Davit instance, such as HTTPS redirects, allowed IP addresses and rate
   * limits. Default: no rules.
   */
  domainRules?: RouteRules;
  /** IP address and port on which Davit's daemon listens for requests from the proxy. */
  api: { address: string; port: number };
  /**
   * Public host name and listening address of the Davit instance's registry. If `undefined` or `null`, the proxy does
   * not forward requests to the registry.
   */
  registry?: { host: string; address: string; port: number } | null;
  /** Trusted proxies in front of Davit's own proxy. Default: none. A change needs a reload of the proxy. */
  trustedProxies?: TrustedProxies;
  backends: RouteBackend[];
  hosts: RouteHost[];
  /**
   * TLS certificates. If a host is in several certificates, the last certificate is used. Hosts without a certificate
   * get a self-signed certificate.
   */
  certificates?: RouteCertificate[];
  /**
   * Responses to ACME challenges. The proxy sends the responses over plain HTTP on all hosts, before it applies any
   * rule. A token contains only `A-Z a-z 0-9 _ -`. A response can also contain `.`.
   */
  challenges?: { token: string; answer: string }[];
}

/** Problem with a server that the proxy does not report as up. The field `reason` says why. */
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
   * TLS certificates that the proxy does not use. The hosts of these certificates keep the previous certificate or get
   * the self-signed certificate.
   */
  certificateProblems: CertificateProblem[];
  /**
   * Message that says why registry clients on this server cannot connect to the registry. `undefined` if there is no
   * problem.
   */
  registryProblem?: string;
}

export interface ProxyStatus {
  kind: 'haproxy' | 'memory';
  running: boolean;
  version: string | null;
  /** Number of reloads of the proxy and replacements of its container since the daemon started. */
  reloads: number;
  /**
   * Error message that says why the proxy is not running, or could not be replaced. `null` if there is no problem.
   */
  problem: string | null;
}

/** Error for a proxy that cannot be started or reached. The error message tells users what to do. */
export class ProxyUnavailable extends Error {
  override name = 'ProxyUnavailable';
}

export interface Proxy extends AsyncDisposable {
  /**
   * Ensures that the proxy runs with this state, if necessary in a new container. The container continues to handle
   * requests without the daemon.
   */
  ensure(table: RouteTable): Promise<ProxyStatus>;
  /**
   * Applies the route table. Resolves when each new server has responded or failed. If several route tables are
   * waiting, only the newest route table is applied.
   * @throws ProxyUnavailable if the proxy does not respond. The route table is then already on disk.
   */
  sync(table: RouteTable): Promise<SyncReport>;
  /**
   * Must be called after a Docker event of the proxy's container. The method resumes a paused container. The next
   * `sync` or `ensure` call checks the container.
   */
  distrust(): void;
  /** Returns the number of open connections to a server. For an unknown server, returns 0. */
  openSessions(slot: number, server: string): Promise<number>;
  status(): Promise<ProxyStatus>;
}
