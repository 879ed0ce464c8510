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
  /** Only paths at and below this one, `/shop`; of several the longest counts. Absent: every path. */
  path?: string;
  slot: number;
  /** Absent: nothing special. */
  rules?: RouteRules;
}

/** What is done with a request before its app gets it, and with the answer. Each is off when null, empty or false. */
export interface RouteRules {
  /** Plain HTTP is answered 308 to the same address under HTTPS. */
  httpsOnly: boolean;
  /** The value of `Strict-Transport-Security`, over HTTPS alone. */
  hsts: string | null;
  /** Answered 308 to this host, path and query kept. */
  redirectTo: string | null;
  /** Who may enter, each as the lower-case SHA-256 in hex of `<salt><user>:<password>`. */
  basicAuth: { salt: string; hashes: string[] } | null;
  /** Addresses and networks in CIDR form; anybody else is answered 403. */
  allow: string[];
  /** Of one client address; what goes beyond is answered 429. */
  requestsPerMinute: number | null;
  /** A sentence: everything is answered 503 with a page that says it. */
  maintenance: string | null;
  /** Set on every answer; an empty value takes the header off. */
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
  backends: RouteBackend[];
  hosts: RouteHost[];
  certificates?: RouteCertificate[];
  /** What an authority asks for below `/.well-known/acme-challenge/`, on plain HTTP, of any host. */
  challenges?: { token: string; answer: string }[];
}

/** What one server is doing according to the running proxy. */
export type SyncProblem = { slot: number; server: string; reason: string };

export interface SyncReport {
  /** A reload was needed for this state. */
  reloaded: boolean;
  /** Active servers that the proxy does not see up, with its reason. Empty: every new request goes where the table says. */
  problems: SyncProblem[];
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
  /** Sessions that a server still serves; 0 for one that the proxy does not know. */
  openSessions(slot: number, server: string): Promise<number>;
  status(): Promise<ProxyStatus>;
}
