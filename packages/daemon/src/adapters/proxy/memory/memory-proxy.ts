/**
 * The proxy of the memory engine and of tests: keeps the promises of the interface, serves nothing. The controls make
 * happen what a real proxy does once in a thousand times.
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

/** Holds one pass of `sync` or `ensure`. */
export interface SyncGate {
  /** Resolves when a pass stands at the gate; its table has no effect yet. */
  entered: Promise<RouteTable>;
  /** Lets the pass go on; fails it with the given error. */
  open(error?: Error): void;
}

export interface MemoryProxyControls {
  /** Every table that a pass used, in order. Calls that shared a pass left one. */
  readonly tables: readonly RouteTable[];
  /** The table in effect; null before the first pass. */
  table(): RouteTable | null;
  /** The servers that a new request to the host may reach now, by name; null for an unknown host. */
  serving(host: string): string[] | null;
  /** From now on the proxy does not see this server up, for this reason; null: it does again. */
  setDown(server: string, reason: string | null): void;
  /** From now on the proxy does not take this certificate, for this reason; null: it does again. */
  setRefused(certificate: string, reason: string | null): void;
  /** From now on every pass fails with `ProxyUnavailable` and this message; null: no more. */
  setUnavailable(message: string | null): void;
  /** The next pass that has no gate waits at this one. */
  gate(): SyncGate;
  /** What `openSessions` answers for a server; 0 when never set. */
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
  /** What new requests reach: differs from the table while an active server of it is down. */
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
    // Nothing happens to it that a pass would not see.
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
    // A gate opened with an error before any pass came to it has nobody to tell.
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

  /** An old server goes on serving until all of the new ones are up. */
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

/** What a caller changes afterwards is none of a pass's business. */
function copyOf({ certificates, ...table }: RouteTable): RouteTable {
  if (certificates === undefined) return structuredClone(table);
  return { ...structuredClone(table), certificates: certificates.map((each) => ({ ...each, hosts: [...each.hosts] })) };
}

/** A proxy without a network. */
export function createMemoryProxy(): Proxy & MemoryProxyControls {
  return new MemoryProxy();
}
