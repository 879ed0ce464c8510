/**
 * In-memory proxy for tests and for demos without Docker. The in-memory proxy handles no requests. Tests can simulate
 * rare events.
 */
import { LatestWins } from '../latest-wins.ts';
import {
  type CertificateProblem,
  type Proxy,
  type ProxyStatus,
  ProxyUnavailable,
  type RouteBackend,
  type RouteTable,
  type SyncProblem,
  type SyncReport,
} from '../proxy.ts';

/**
 * Object with which a test controls a paused call of `sync` or `ensure`. The test can wait until the call is paused,
 * and can then let the call continue.
 */
export interface SyncGate {
  /**
   * Resolves when the call is paused. The value is the route table of the call, which the in-memory proxy has not
   * applied yet.
   */
  entered: Promise<RouteTable>;
  /** Continues the paused `sync` or `ensure` call. If an error is given, the call fails with this error. */
  open(error?: Error): void;
}

export interface MemoryProxyControls {
  /**
   * Route tables that the in-memory proxy has applied, in order. If several route tables arrive while the proxy is
   * busy, the proxy applies only the last one.
   */
  readonly tables: readonly RouteTable[];
  /** Returns the current route table, or `null` before the first call of `sync` or `ensure`. */
  table(): RouteTable | null;
  /** Returns the names of the servers that receive the requests for a host. Returns `null` if the host is unknown. */
  serving(host: string): string[] | null;
  /**
   * Marks a server of the in-memory proxy as down, with the given reason. If the reason is `null`, the server is marked
   * as up.
   */
  setDown(server: string, reason: string | null): void;
  /**
   * Makes the in-memory proxy reject a TLS certificate, with the given reason. If the reason is `null`, the proxy
   * accepts the certificate.
   */
  setRefused(certificate: string, reason: string | null): void;
  /**
   * Makes `sync` and `ensure` fail with a `ProxyUnavailable` error and this message. If the message is `null`, the
   * calls succeed again.
   */
  setUnavailable(message: string | null): void;
  /**
   * Pauses the next call of `sync` or `ensure` until the test continues the call. If a test calls `gate` twice, the
   * next two calls are paused.
   */
  gate(): SyncGate;
  /** Sets the number of open connections that `openSessions` returns for a server. Default: 0. */
  setOpenSessions(server: string, count: number): void;
}

interface ClosedGate {
  entered: PromiseWithResolvers<RouteTable>;
  opened: PromiseWithResolvers<void>;
}

class MemoryProxy implements Proxy, MemoryProxyControls {
  readonly tables: RouteTable[] = [];
  readonly #down = new Map<string, string>();
  readonly #refusals = new Map<string, string>();
  readonly #sessions = new Map<string, number>();
  readonly #gates: ClosedGate[] = [];
  readonly #worker = new LatestWins<RouteTable, SyncReport>((table) => this.#pass(table));
  /**
   * Names of the servers that receive new requests, by the backend number of an app. The names omit servers that are
   * down.
   */
  #serving = new Map<number, string[]>();
  #unavailable: string | null = null;

  async ensure(table: RouteTable): Promise<ProxyStatus> {
    await this.#worker.run(copyOf(table));
    return this.status();
  }

  sync(table: RouteTable): Promise<SyncReport> {
    return this.#worker.run(copyOf(table));
  }

  distrust(): void {
    // The in-memory proxy has no container, so there is nothing to check.
  }

  async openSessions(_slot: number, server: string): Promise<number> {
    return this.#sessions.get(server) ?? 0;
  }

  async status(): Promise<ProxyStatus> {
    const problem = this.#unavailable;
    return { kind: 'memory', running: problem === null, version: null, reloads: 0, problem };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { opened } of this.#gates.splice(0)) opened.resolve();
  }

  table(): RouteTable | null {
    return this.tables.at(-1) ?? null;
  }

  serving(host: string): string[] | null {
    const entry = this.table()?.hosts.find((candidate) => candidate.host === host);
    return entry === undefined ? null : (this.#serving.get(entry.slot) ?? []);
  }

  setRefused(certificate: string, reason: string | null): void {
    if (reason === null) this.#refusals.delete(certificate);
    else this.#refusals.set(certificate, reason);
  }

  setDown(server: string, reason: string | null): void {
    if (reason === null) this.#down.delete(server);
    else this.#down.set(server, reason);
  }

  setUnavailable(message: string | null): void {
    this.#unavailable = message;
  }

  gate(): SyncGate {
    const gate = { entered: Promise.withResolvers<RouteTable>(), opened: Promise.withResolvers<void>() };
    // Prevents an unhandled rejection if a test calls `open` with an error before `sync` or `ensure` is called.
    gate.opened.promise.catch(() => undefined);
    this.#gates.push(gate);
    return {
      entered: gate.entered.promise,
      open: (error) => (error === undefined ? gate.opened.resolve() : gate.opened.reject(error)),
    };
  }

  setOpenSessions(server: string, count: number): void {
    this.#sessions.set(server, count);
  }

  async #pass(table: RouteTable): Promise<SyncReport> {
    const gate = this.#gates.shift();
    gate?.entered.resolve(table);
    await gate?.opened.promise;
    if (this.#unavailable !== null) throw new ProxyUnavailable(this.#unavailable);

    this.tables.push(table);
    this.#serving = new Map(table.backends.map((backend) => [backend.slot, this.#reachable(backend)]));
    return {
      reloaded: false,
      problems: table.backends.flatMap((backend) => this.#problems(backend)),
      certificateProblems: this.#refused(table),
    };
  }

  /**
   * Returns the servers of an app that receive new requests. If a new server is not up yet, the old servers still
   * receive the requests.
   */
  #reachable({ slot, servers }: RouteBackend): string[] {
    const up = servers.filter(({ state, name }) => state === 'active' && !this.#down.has(name)).map(({ name }) => name);
    const active = servers.filter(({ state }) => state === 'active');
    const before = this.#serving.get(slot) ?? [];
    const old = servers.filter(({ state, name }) => state === 'draining' && before.includes(name));
    if (up.length === active.length || old.length === 0) return up;
    return [...up.filter((name) => before.includes(name)), ...old.map(({ name }) => name)];
  }

  #refused({ certificates = [] }: RouteTable): CertificateProblem[] {
    return certificates.flatMap(({ name }) => {
      const reason = this.#refusals.get(name);
      return reason === undefined ? [] : [{ name, reason }];
    });
  }

  #problems({ slot, servers }: RouteBackend): SyncProblem[] {
    return servers.flatMap(({ name, state }) => {
      const reason = this.#down.get(name);
      return state === 'active' && reason !== undefined ? [{ slot, server: name, reason }] : [];
    });
  }
}

/** Returns a copy of a route table, so that later changes by the caller have no effect. */
function copyOf({ certificates, ...table }: RouteTable): RouteTable {
  if (certificates === undefined) return structuredClone(table);
  return { ...structuredClone(table), certificates: certificates.map((each) => ({ ...each, hosts: [...each.hosts] })) };
}

export function createMemoryProxy(): Proxy & MemoryProxyControls {
  return new MemoryProxy();
}
