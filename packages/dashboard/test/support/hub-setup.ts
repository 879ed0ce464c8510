/** Hub with simulated connections and browser tabs. */
import { mock } from 'node:test';
import type { DavitError, EventMessage, LiveMessage } from '@davit/api';
import { Hub, type StreamRequest } from '../../src/live/hub.ts';
import type { HubPort, LogLine, Refusal, ToHub, ToTab } from '../../src/live/messages.ts';
import type { Hearing } from '../../src/live/stream.ts';

/** Connection of the hub. The test sends its events and ends it. */
export class Connection {
  readonly after: string;
  readonly logs: string[];
  readonly pastS: number | null;
  readonly hearing: Hearing;
  readonly #events: LiveMessage<EventMessage>[] = [];
  #end: { error: Error | null } | null = null;
  #wake: () => void = () => undefined;

  constructor({ after, logs, pastS }: StreamRequest, hearing: Hearing) {
    this.pastS = pastS;
    this.after = after;
    this.logs = logs;
    this.hearing = hearing;
    hearing.signal.addEventListener('abort', () => this.end(new Error('aborted')));
  }

  open(position: string): void {
    this.hearing.onOpen();
    if (this.after === '') this.hearing.onPosition(position);
  }

  tell(event: string, data: unknown, id = ''): void {
    this.#events.push({ id, event, data } as LiveMessage<EventMessage>);
    this.#wake();
  }

  lines(app: string, seq: number, ...lines: string[]): void {
    const at = '2026-01-01T00:00:00Z';
    this.tell('log', { seq, at, app, lines: lines.map((line) => ({ replica: '1-1', stream: 'stdout', at, line })) });
  }

  end(error: Error | null = null): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveMessage<EventMessage>> {
    for (;;) {
      const next = this.#events.shift();
      if (next !== undefined) yield next;
      else if (this.#end?.error) throw this.#end.error;
      else if (this.#end) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** Browser tab. With `answers = false`, the tab does not respond to messages. */
export class FakeTab {
  readonly told: ToTab[] = [];
  readonly port: HubPort;
  answers = true;
  isClosed = false;

  constructor(hub: Hub, since = Date.now()) {
    this.port = {
      onmessage: null,
      close: () => {
        this.isClosed = true;
      },
      postMessage: (message) => {
        this.told.push(message);
        if (!this.answers) return;
        if (message.kind === 'ping') this.say({ kind: 'here' });
        if (message.kind === 'log') this.say({ kind: 'took' });
      },
    };
    hub.join(this.port);
    this.say({ kind: 'join', since });
  }

  say(message: ToHub): void {
    this.port.onmessage?.({ data: message });
  }

  of<K extends ToTab['kind']>(kind: K): Extract<ToTab, { kind: K }>[] {
    return this.told.filter((message): message is Extract<ToTab, { kind: K }> => message.kind === kind);
  }

  /** Returns the log lines for one follow request. Other messages are included as their kind in parentheses. */
  heard(id: number): string[] {
    return this.of('log')
      .filter(({ to }) => to.includes(id))
      .flatMap(({ told }) =>
        told.kind === 'lines' ? told.lines.map(({ line }: LogLine) => line) : [`(${told.kind})`],
      );
  }

  get state(): string | undefined {
    return this.of('state').at(-1)?.state;
  }
}

/** Hub with a simulated clock that advances only in `settle` and `pass`. Call `leave` at the end. */
export class HubSetup {
  readonly connections: Connection[] = [];
  /** Reasons why apps cannot be followed, by app reference. */
  readonly missing = new Map<string, Refusal>();
  /** Error for a new connection, or `null` if the connection succeeds. */
  refuse: DavitError | null = null;
  readonly hub: Hub;

  constructor() {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });
    this.hub = new Hub({
      connect: (request, hearing) => {
        const connection = new Connection(request, hearing);
        this.connections.push(connection);
        const isMeant = this.refuse?.code !== 'not_found' || request.logs.includes('a/b/none');
        if (this.refuse !== null && isMeant) connection.end(this.refuse);
        return connection;
      },
      whyNot: async (app) => this.missing.get(app) ?? null,
    });
  }

  leave(): void {
    mock.timers.reset();
  }

  /** Connection that the hub opened last. */
  get newest(): Connection {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error('nothing was asked');
    return connection;
  }

  /** Runs all pending work, advances the clock by `ms`, and runs the work that is then pending. */
  async settle(ms = 0): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    if (ms === 0) return;
    mock.timers.tick(ms);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  }

  /** Advances the clock in steps of a second. The connection receives data in each step unless `isAlive` is `false`. */
  async pass(ms: number, isAlive = true): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      if (isAlive) this.newest.hearing.onBytes();
      await this.settle(Math.min(left, 1_000));
    }
  }

  /** Creates a tab for each name and opens the connection. Returns the tabs. */
  async opened<const Names extends readonly string[]>(...names: Names): Promise<{ [K in keyof Names]: FakeTab }> {
    const made = names.map(() => new FakeTab(this.hub)) as { [K in keyof Names]: FakeTab };
    await this.settle();
    this.newest.open('10');
    await this.settle();
    return made;
  }
}
