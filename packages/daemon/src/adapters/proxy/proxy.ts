/**
 * The proxy: what stands between the world and the apps.
 *
 * `sync` takes the whole desired state each time and makes it so: first on disk, so that a proxy restarted with the
 * daemon down serves the same routes, then in the running process without a reload. What cannot be done in place is done
 * by one coalesced reload. There is no second path: a deploy, a new host and a repair after a crash are the same call.
 */

/** One container behind a backend. The name is unique for ever (`i<number>`): it is never reused for another address. */
export interface RouteServer {
  name: string;
  address: string;
  port: number;
  /** `draining`: gets no new request; what it is serving may end. */
  state: 'active' | 'draining';
}

/** Where the requests of one app (and port, and protocol) go. */
export interface RouteBackend {
  /** A number from 1 that an app keeps for life; freed with the app. */
  slot: number;
  /** For the reader of the file: `project/environment/app`. */
  app: string;
  protocol: 'http' | 'h2c';
  servers: RouteServer[];
}

/** A lower-case host name, or a part of what it serves, with the slot that serves it. */
export interface RouteHost {
  host: string;
  /**
   * Only paths at and below this one, `/shop`: `/shop`, `/shop/…` and `/shop?x`, not `/shopping`; of several the longest
   * counts. Absent or `/`: every path. Segments of `A-Z a-z 0-9 . _ ~ @ : + = ! $ & ( ) , * -`, none of them `.` or `..`,
   * no slash at the end. The app gets the whole path.
   */
  path?: string;
  slot: number;
  /** Absent: nothing special. */
  rules?: RouteRules;
}

/**
 * What is done with a request before its app gets it, and with the answer, in this order: redirectTo, httpsOnly, allow,
 * requestsPerMinute, maintenance, basicAuth. Each is off when null, empty or false. Texts have no control characters.
 */
export interface RouteRules {
  /** Plain HTTP is answered 308 to the same address under HTTPS. */
  httpsOnly: boolean;
  /** The value of `Strict-Transport-Security`, over HTTPS alone. */
  hsts: string | null;
  /** Answered 308 to this host, path and query kept; to HTTPS when it was asked under it or `httpsOnly` is set. */
  redirectTo: string | null;
  /**
   * Who may enter, each as the lower-case SHA-256 in hex of `<salt><user>:<password>`; nobody when `hashes` is empty. A
   * salt has 1 to 200 characters.
   * The app does not get the header: the password is the proxy's business.
   */
  basicAuth: { salt: string; hashes: string[] } | null;
  /** Addresses and networks in CIDR form; anybody else, by the address of the connection, is answered 403. */
  allow: string[];
  /** Of one client address (of IPv6, one /64) and host, at least 1; what goes beyond is answered 429. */
  requestsPerMinute: number | null;
  /** A sentence of at most 1,000 characters: everything is answered 503 with a page that says it. */
  maintenance: string | null;
  /**
   * Set on every answer of the app (not on the proxy's own sentences); an empty value takes the header off. Names and
   * values in ASCII, 8,000 characters together; not those that frame an answer (`Content-Length`, `Connection` …).
   */
  headers: Record<string, string>;
}

/** A certificate that the proxy presents to who asks for one of its hosts. */
export interface RouteCertificate {
  /** Letters, digits and dashes; never used again for other bytes. */
  name: string;
  /** Lower case; `*.` in front stands for one label. */
  hosts: string[];
  /** Chain and key. Asked for only when the proxy does not have it yet: thousands of keys are not held in memory. */
  pem: () => string;
}

/** Networks of proxies in front of this one, at most 100 each. */
export interface TrustedProxies {
  /** Their `X-Forwarded-For` is believed: the client is the rightmost address that is in none of these networks. */
  forwardedFor: string[];
  /** Their connections begin with the PROXY protocol. */
  proxyProtocol: string[];
}

/** As many as a proxy serves: 5,000 take 92 MB of it. */
export const MOST_BACKENDS = 50_000;

/** The whole desired state. */
export interface RouteTable {
  /** The instance's own host, answered by `api`. */
  domain: string;
  /** What is done with requests for the instance's own host. Absent: nothing special. */
  domainRules?: RouteRules;
  /** Where the daemon listens. */
  api: { address: string; port: number };
  /** Where the instance's own registry is reached from outside, and where it listens; null or absent: it is not served. */
  registry?: { host: string; address: string; port: number } | null;
  /** Whom the proxy believes about a client's address, in CIDR form. Absent: nobody. A change takes a reload. */
  trustedProxies?: TrustedProxies;
  backends: RouteBackend[];
  hosts: RouteHost[];
  /** Of several for one host the last counts. A host without one is answered with a self-signed certificate. */
  certificates?: RouteCertificate[];
  /**
   * What an authority asks for below `/.well-known/acme-challenge/`, on plain HTTP, of any host, before every rule. Both
   * of `A-Z a-z 0-9 _ -`, the answer of `.` too.
   */
  challenges?: { token: string; answer: string }[];
}

/** What one server is doing according to the running proxy. */
export type SyncProblem = { slot: number; server: string; reason: string };

/** A certificate of the table that is not served; the rest of the table is in effect all the same. */
export type CertificateProblem = { name: string; reason: string };

export interface SyncReport {
  /** A reload was needed for this state. */
  reloaded: boolean;
  /** Active servers that the proxy does not see up, with its reason. Empty: every new request goes where the table says. */
  problems: SyncProblem[];
  /** Its hosts are answered with the one before, else with the default certificate. */
  certificateProblems: CertificateProblem[];
}

export interface ProxyStatus {
  kind: 'haproxy' | 'memory';
  running: boolean;
  version: string | null;
  /** Reloads and replacements since this daemon started. */
  reloads: number;
  /** Why it is not running, in a sentence; null when it is. */
  problem: string | null;
}

/** The proxy cannot be started or spoken to; the message says what to do. */
export class ProxyUnavailable extends Error {
  override name = 'ProxyUnavailable';
}

export interface Proxy extends AsyncDisposable {
  /**
   * Starts the proxy with the given state, or adopts the one that runs; replaces it by handover when its image or its
   * fixed settings changed. Disposing leaves it running: apps are served while the daemon is down.
   */
  ensure(table: RouteTable): Promise<ProxyStatus>;
  /**
   * Makes the table true: resolves when every active server of it is seen up by the proxy (or reported as a problem)
   * and every draining one gets no new request. Calls made while one is at work share the next pass, which uses the
   * newest table. New servers are up before any old one is drained.
   * @throws ProxyUnavailable when the running proxy could not be reached; the state on disk is written all the same
   */
  sync(table: RouteTable): Promise<SyncReport>;
  /**
   * Something happened to the proxy's container: a paused one is unpaused now, and the next pass inspects it before it speaks
   * with it. Without this, a pass waits for an answer that a paused proxy never gives.
   */
  distrust(): void;
  /** Sessions that a server still serves; 0 for one that the proxy does not know. */
  openSessions(slot: number, server: string): Promise<number>;
  status(): Promise<ProxyStatus>;
}
