import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { DavitError, type LiveMessage } from '@davit/api';
import { type Ask, Hub } from './hub.ts';
import type { HubPort, LogLine, Refusal, ToHub, ToTab } from './messages.ts';
import { PACE } from './pace.ts';
import type { Hearing } from './stream.ts';

/** A connection as the hub asked for it, in the hands of the test. */
class Connection {
  readonly after: string;
  readonly logs: string[];
  readonly pastS: number | null;
  readonly hearing: Hearing;
  readonly #events: LiveMessage<unknown>[] = [];
  #end: { error: Error | null } | null = null;
  #wake: () => void = () => undefined;

  constructor({ after, logs, pastS }: Ask, hearing: Hearing) {
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
    this.#events.push({ id, event, data });
    this.#wake();
  }

  lines(app: string, seq: number, ...lines: string[]): void {
    const at = '2026-01-01T00:00:00Z';
    this.tell('log', { seq, at, app, lines: lines.map((line) => ({ instance: '1-1', stream: 'stdout', at, line })) });
  }

  end(error: Error | null = null): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveMessage<unknown>> {
    for (;;) {
      const next = this.#events.shift();
      if (next !== undefined) yield next;
      else if (this.#end?.error) throw this.#end.error;
      else if (this.#end) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** A tab that answers, or not. */
class FakeTab {
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

  /** What one of its follows was told, in a word each. */
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

describe('the one connection of a browser', () => {
  let connections: Connection[];
  let missing: Map<string, Refusal>;
  let refuse: DavitError | null;
  let hub: Hub;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 });
    connections = [];
    missing = new Map();
    refuse = null;
    hub = new Hub({
      connect: (ask, hearing) => {
        const connection = new Connection(ask, hearing);
        connections.push(connection);
        const isMeant = refuse?.code !== 'not_found' || ask.logs.includes('a/b/none');
        if (refuse !== null && isMeant) connection.end(refuse);
        return connection;
      },
      whyNot: async (app) => missing.get(app) ?? null,
    });
  });
  afterEach(() => mock.timers.reset());

  const newest = () => {
    const connection = connections.at(-1);
    if (connection === undefined) throw new Error('nothing was asked');
    return connection;
  };

  async function settle(ms = 0): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    if (ms === 0) return;
    mock.timers.tick(ms);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  }

  /** Lets time pass while everybody who is there says so. */
  async function pass(ms: number, isAlive = true): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      if (isAlive) newest().hearing.onBytes();
      await settle(Math.min(left, 1_000));
    }
  }

  async function opened(...tabs: number[]): Promise<FakeTab[]> {
    const made = tabs.map(() => new FakeTab(hub));
    await settle();
    newest().open('10');
    await settle();
    return made;
  }

  it('is asked for once, whoever comes, and tells all of them', async () => {
    const [one, two] = await opened(1, 2);
    newest().tell('app', { app: 'a/b/c' }, '11');
    await settle();
    assert.equal(connections.length, 1);
    for (const tab of [one, two]) {
      assert.equal(tab?.state, 'live');
      assert.equal(tab?.of('happened').length, 1);
    }
  });

  it('is asked anew with the positions when what is followed changes, without loss or doubling', async () => {
    const [one, two] = await opened(1, 2);
    one?.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await settle(PACE.settleMs);
    assert.deepEqual([newest().after, newest().logs], ['10', ['a/b/one']]);
    newest().open('');
    newest().lines('a/b/one', 5, 'first');
    newest().tell('app', { app: 'a/b/c' }, '12');
    await settle();
    const left = newest();
    two?.say({ kind: 'follow', id: 1, app: 'a/b/two' });
    await settle(PACE.settleMs);
    left.lines('a/b/one', 6, 'of a connection that was left');
    newest().open('');
    newest().lines('a/b/one', 6, 'second');
    await settle();
    assert.deepEqual([newest().after, newest().logs], ['12', ['a/b/one@5', 'a/b/two']]);
    assert.deepEqual(one?.heard(1), ['first', 'second']);
    assert.deepEqual(
      one?.of('state').map(({ state }) => state),
      ['connecting', 'live'],
    );
  });

  it('tells who follows an app that is followed already its newest lines, and nobody else', async () => {
    const [one, two] = await opened(1, 2);
    one?.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await settle(PACE.settleMs);
    newest().open('');
    newest().lines('a/b/one', 5, 'first');
    await settle();
    two?.say({ kind: 'follow', id: 7, app: 'a/b/one' });
    newest().lines('a/b/one', 6, 'second');
    await settle(1_000);
    assert.deepEqual(
      [one?.heard(1), two?.heard(7)],
      [
        ['first', 'second'],
        ['first', 'second'],
      ],
    );
    assert.equal(connections.length, 2);
  });

  it('drops what a tab followed that is closed, or that does not answer any more', async () => {
    const [one, two, three] = await opened(1, 2, 3);
    [one, two, three].forEach((tab, at) => void tab?.say({ kind: 'follow', id: 1, app: `a/b/app${at}` }));
    await settle(PACE.settleMs);
    newest().open('');
    one?.say({ kind: 'leave' });
    await settle(PACE.settleMs);
    assert.deepEqual(newest().logs, ['a/b/app1', 'a/b/app2']);
    newest().open('');
    if (two) two.answers = false;
    await pass(PACE.pingMs * (PACE.mostUnanswered + 2));
    assert.deepEqual(newest().logs, ['a/b/app2']);
    assert.ok(two?.isClosed);
    three?.say({ kind: 'leave' });
    await settle(1_000);
    assert.ok(newest().hearing.signal.aborted);
    const asked = connections.length;
    await settle(60_000);
    assert.equal(connections.length, asked);
  });

  it('is away when it is silent, and comes back after its last event', async () => {
    const [tab] = await opened(1);
    newest().tell('app', {}, '15');
    await pass(PACE.silentMs * 2);
    assert.equal(tab?.state, 'live');
    await pass(PACE.silentMs + 1_000, false);
    assert.equal(tab?.state, 'away');
    newest().open('');
    await settle();
    assert.equal(newest().after, '15');
    assert.equal(tab?.state, 'live');
  });

  it('is not away for a blink, and tries again ever more rarely when it is', async () => {
    const [tab] = await opened(1);
    newest().end();
    await settle(1);
    newest().open('');
    await settle(PACE.blinkMs * 2);
    assert.equal(tab?.state, 'live');

    refuse = new DavitError('unavailable', 'Not now.');
    newest().end();
    await settle(1);
    await settle(1);
    assert.equal(tab?.state, 'away');
    const before = connections.length;
    await pass(60_000, false);
    const tries = connections.length - before;
    assert.ok(tries > 60_000 / PACE.longestRetryMs - 2 && tries < 25, `${tries} times in a minute`);
    refuse = null;
    await settle(PACE.longestRetryMs);
    newest().open('');
    assert.equal(tab?.state, 'live');
  });

  it('begins with what happened since a page began, or has everything read again', async () => {
    const tab = new FakeTab(hub, Date.now() - 10_000);
    await settle();
    assert.equal(newest().pastS, 12);
    newest().open('10');
    assert.equal(tab.of('reread').length, 0);
    tab.say({ kind: 'leave' });
    await settle();
    const old = new FakeTab(hub, Date.now() - 3_600_000);
    await settle();
    assert.equal(newest().pastS, null);
    newest().open('10');
    assert.equal(old.of('reread').length, 1);
  });

  it('has everything read again when its position is gone', async () => {
    const [tab] = await opened(1);
    assert.equal(tab?.of('reread').length, 0);
    newest().tell('reset', { reason: 'position_gone', message: '' });
    await settle();
    assert.equal(tab?.of('reread').length, 1);
  });

  it('tells who comes later what happened since its page began, or to read again what it cannot tell', async () => {
    await opened(1);
    await pass(10_000);
    newest().tell('app', { seq: 11 }, '11');
    await pass(10_000);
    newest().tell('app', { seq: 12 }, '12');
    await settle();
    const tab = new FakeTab(hub);
    assert.deepEqual(
      tab.of('happened').map(({ happened }) => (happened.data as { seq: number }).seq),
      [12],
    );
    assert.equal(tab.of('reread').length, 0);
    tab.say({ kind: 'join', since: Date.now() - 60_000 });
    assert.equal(tab.of('reread').length, 1);
  });

  it('says that nobody is signed in, and begins again when somebody is', async () => {
    refuse = new DavitError('unauthorized', 'Nobody is signed in.');
    const tab = new FakeTab(hub);
    await settle();
    assert.equal(tab.of('signed_out').length, 1);
    assert.equal(tab.state, 'away');
    await settle(60_000);
    assert.equal(connections.length, 1);
    refuse = null;
    tab.say({ kind: 'signed_in' });
    await settle();
    newest().open('10');
    assert.equal(tab.state, 'live');
  });

  it('tells nothing of what was before to who signs in, and has everything read again', async () => {
    const [one] = await opened(1);
    one?.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await settle(PACE.settleMs);
    newest().open('10');
    newest().lines('a/b/one', 5, 'of the one before');
    newest().tell('app', { seq: 11 }, '11');
    await settle();
    const asked = connections.length;

    one?.say({ kind: 'signed_in' });
    await settle();
    assert.equal(connections.length, asked + 1);
    assert.deepEqual([newest().after, newest().logs], ['11', ['a/b/one']], 'without a position in lines');
    assert.equal(one?.of('reread').length, 1);
    const two = new FakeTab(hub, Date.now() - 1_000);
    two.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await settle(PACE.settleMs);
    assert.deepEqual([two.of('happened'), two.heard(1)], [[], []]);
    assert.equal(two.of('reread').length, 1);
    newest().lines('a/b/one', 5, 'of the next');
    await settle();
    assert.deepEqual([one?.heard(1), two.heard(1)], [['of the one before', '(gap)', 'of the next'], ['of the next']]);
  });

  it('goes on without an app that is refused or has ended, and says so to who follows it', async () => {
    const [tab] = await opened(1);
    missing.set('a/b/none', { code: 'not_found', message: 'There is no such app.' });
    refuse = new DavitError('not_found', 'There is no such app.');
    for (const [id, app] of ['a/b/none', 'a/b/one', 'NO/such/name'].entries()) tab?.say({ kind: 'follow', id, app });
    await settle(PACE.settleMs);
    assert.deepEqual(newest().logs, ['a/b/one']);
    assert.deepEqual([tab?.heard(0), tab?.heard(2)], [['(refused)'], ['(refused)']]);
    newest().open('');
    newest().lines('a/b/one', 5, 'first');
    newest().tell('reset', { app: 'a/b/one', reason: 'position_gone', message: '' });
    newest().lines('a/b/one', 9, 'newest');
    newest().tell('reset', { app: 'a/b/one', reason: 'rights_ended', message: 'Gone.' });
    await settle();
    assert.deepEqual(tab?.heard(1), ['first', '(gap)', 'newest', '(refused)']);
    assert.equal(tab?.state, 'live');
  });

  it('tells a tab that is busy of a gap instead of holding everything for it', async () => {
    const [tab] = await opened(1);
    tab?.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await settle(PACE.settleMs);
    newest().open('');
    if (tab) tab.answers = false;
    for (let n = 1; n <= 1_000; n += 1) newest().lines('a/b/one', n, `line ${n}`);
    await settle();
    const underWay = tab?.of('log').length ?? 0;
    assert.ok(underWay < 100, `${underWay} under way`);
    for (let n = 0; n < underWay; n += 1) tab?.say({ kind: 'took' });
    const heard = tab?.heard(1) ?? [];
    assert.equal(heard[underWay], '(gap)');
    assert.equal(heard.at(-1), 'line 1000');
  });

  it('asks for no more apps than one stream may have, and for the next when there is room', async () => {
    const [tab] = await opened(1);
    for (let n = 1; n <= 17; n += 1) tab?.say({ kind: 'follow', id: n, app: `a/b/app${n}` });
    await settle(PACE.settleMs);
    assert.equal(newest().logs.length, 16);
    assert.deepEqual(tab?.heard(17), ['(refused)']);
    tab?.say({ kind: 'unfollow', id: 1 });
    await settle(PACE.settleMs);
    assert.equal(newest().logs.at(-1), 'a/b/app17');
  });
});
