/**
 * Interface of the proxy, which receives all requests for apps.
 *
 * `sync` takes the whole desired state and applies it. The call first writes the state to disk, so that a proxy that
 * restarts without the daemon serves the same routes. The call then changes the running process without a reload.
 * Changes that need a reload share one reload. A deployment, a new host and a repair after a crash all use this call.
 */

/** Container behind a backend. The name (`i<number>`) is unique forever and never used again for another address. */
export interface RouteServer {
  name: string;
  address: string;
  port: number;
  /** State of the server. A `draining` server gets no new requests but may finish its open requests. */
  state: 'active' | 'draining';
}

/** Target of the requests for one app, port and protocol. */
export interface RouteBackend {
  /** Number from 1 that an app keeps until its deletion. */
  slot: number;
  /** Reference `project/environment/app`, as a comment for readers of the file. */
  app: string;
  protocol: 'http' | 'h2c';
  servers: RouteServer[];
}

/** Lower-case host name with the slot that serves it, optionally limited to a path. */
export interface RouteHost {
  host: string;
  /**
   * Path that the route serves, including all paths below it. `/shop` matches `/shop`, `/shop/…` and `/shop?x`, but not
   * `/shopping`. The longest matching path has priority. Default: `/`, which matches every path. Segments consist of
   * `A-Z a-z 0-9 . _ ~ @ : + = ! $ & ( ) , * -`. The path must not contain `.` or `..` as a segment and must not end
   * with a slash. The app gets the whole path.
   */
  path?: string;
  slot: number;
  /** Rules of the host. Default: none. */
  rules?: RouteRules;
}

/**
 * Rules for requests before the app gets them, and for responses. The rules apply in this order: redirectTo, httpsOnly,
 * allow, requestsPerMinute, maintenance, basicAuth. A rule is off if its value is `null`, empty or false. Texts must
 * not contain control characters.
 */
export interface RouteRules {
  /** Whether plain HTTP requests get a redirect (308) to the same address with HTTPS. */
  httpsOnly: boolean;
  /** Value of the header `Strict-Transport-Security`, which only HTTPS responses get. */
  hsts: string | null;
  /**
   * Host to which requests are redirected (308) with their path and query. The redirect uses HTTPS if the request used
   * HTTPS or `httpsOnly` is set.
   */
  redirectTo: string | null;
  /**
   * Accepted users, each as the lower-case hexadecimal SHA-256 of `<salt><user>:<password>`. With empty `hashes`, no
   * request is accepted. A salt has 1 to 200 characters. The app does not get the header, because only the proxy checks
   * the password.
   */
  basicAuth: { salt: string; hashes: string[] } | null;
  /**
   * Allowed addresses and networks in CIDR notation. Requests from other addresses get a 403. The address is the peer
   * of the connection, or the client's address from a trusted proxy.
   */
  allow: string[];
  /**
   * Maximum number of requests in one minute for one client address and host, at least 1. An IPv6 client address is a
   * /64 network. Further requests get a 429.
   */
  requestsPerMinute: number | null;
  /** Text of at most 1,000 characters. All requests get a 503 with a page that contains the text. */
  maintenance: string | null;
  /**
   * Headers to set on every response of the app, but not on the proxy's own responses. An empty value removes the
   * header. Names and values are ASCII and have at most 8,000 characters together. Headers that frame a response
   * (`Content-Length`, `Connection` and others) are not allowed.
   */
  headers: Record<string, string>;
}

/** Certificate that the proxy presents for its hosts. */
export interface RouteCertificate {
  /** Name of letters, digits and dashes. The name is never used again for other bytes. */
  name: string;
  /** Hosts in lower case. The prefix `*.` matches one label. */
  hosts: string[];
  /**
   * Returns the chain and key. Called only if the proxy does not have them yet, so that thousands of keys are not kept
   * in memory.
   */
  pem: () => string;
}

/** Networks of proxies in front of this proxy, at most 100 in each list. */
export interface TrustedProxies {
  /** Networks whose `X-Forwarded-For` is trusted. The client is the rightmost address outside these networks. */
  forwardedFor: string[];
  /** Networks whose connections begin with the PROXY protocol. */
  proxyProtocol: string[];
}

/** Maximum number of backends. A proxy with 5,000 backends uses 92 MB for them. */
export const MOST_BACKENDS = 50_000;

/** Whole desired state of the proxy. */
export interface RouteTable {
  /** The instance's own host, which `api` serves. */
  domain: string;
  /** Rules for the instance's own host. Default: none. */
  domainRules?: RouteRules;
  /** Address on which the daemon listens. */
  api: { address: string; port: number };
  /**
   * Public host and listening address of the instance's own registry. If absent or `null`, the proxy does not serve the
   * registry.
   */
  registry?: { host: string; address: string; port: number } | null;
  /** Trusted networks in CIDR notation. Default: none. A change requires a reload. */
  trustedProxies?: TrustedProxies;
  backends: RouteBackend[];
  hosts: RouteHost[];
  /**
   * Certificates. If several certificates name a host, the last certificate gets the host. Hosts without a certificate
   * get a self-signed certificate.
   */
  certificates?: RouteCertificate[];
  /**
   * Responses to certificate authorities below `/.well-known/acme-challenge/`, on plain HTTP, for all hosts and before
   * all rules. Token and response consist of `A-Z a-z 0-9 _ -`, and the response may contain `.`.
   */
  challenges?: { token: string; answer: string }[];
}

/** State of a server that the running proxy does not see as up. */
export type SyncProblem = { slot: number; server: string; reason: string };

/** Certificate of the table that is not served. The rest of the table is in effect. */
export type CertificateProblem = { name: string; reason: string };

export interface SyncReport {
  /** Whether this state required a reload. */
  reloaded: boolean;
  /**
   * Active servers that the proxy does not see as up, with its reasons. If the list is empty, all new requests follow
   * the table.
   */
  problems: SyncProblem[];
  /**
   * Certificates that are not served. Their hosts get the previous certificate, or the default certificate if there is
   * none.
   */
  certificateProblems: CertificateProblem[];
}

export interface ProxyStatus {
  kind: 'haproxy' | 'memory';
  running: boolean;
  version: string | null;
  /** Number of reloads and replacements since the start of this daemon. */
  reloads: number;
  /** Sentence with the reason why the proxy is not running, or `null` if the proxy is running. */
  problem: string | null;
}

/** Error if the proxy cannot be started or reached. The message contains a solution. */
export class ProxyUnavailable extends Error {
  override name = 'ProxyUnavailable';
}

export interface Proxy extends AsyncDisposable {
  /**
   * Starts the proxy with the given state or adopts the running proxy. If its image or its fixed settings changed, a
   * new proxy takes over. Disposing leaves the proxy running, so apps are served without the daemon.
   */
  ensure(table: RouteTable): Promise<ProxyStatus>;
  /**
   * Applies the table. Resolves when the proxy sees every active server as up or reports it as a problem, and every
   * draining server gets no new requests. Calls during a pass share the next pass, which uses the newest table. New
   * servers are up before old servers are drained.
   * @throws ProxyUnavailable if the running proxy cannot be reached; the state on disk is written nevertheless
   */
  sync(table: RouteTable): Promise<SyncReport>;
  /**
   * Reports an event of the proxy's container. Resumes a paused container immediately and makes the next pass inspect
   * the container before it sends commands. Without this call, a pass would wait for a paused proxy that never
   * responds.
   */
  distrust(): void;
  /** Returns the number of open sessions of a server, or 0 for an unknown server. */
  openSessions(slot: number, server: string): Promise<number>;
  status(): Promise<ProxyStatus>;
}
