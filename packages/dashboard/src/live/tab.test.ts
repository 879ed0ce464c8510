import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { TabPort, ToHub, ToTab } from './messages.ts';
import { PACE } from './pace.ts';
import { type LogMessage, Tab } from './tab.ts';

const BEGAN = 1_000_000;

class FakeHub {
  readonly said: ToHub[] = [];
  readonly port: TabPort = {
    onmessage: null,
    postMessage: (message) => void this.said.push(message),
    close: () => undefined,
  };

  tell(message: ToTab): void {
    this.port.onmessage?.({ data: message });
  }
}

describe('browser tab', () => {
  let hubs: FakeHub[];
  let states: string[];
  let tab: Tab;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: BEGAN });
    hubs = [];
    states = [];
    const open = () => {
      const hub = new FakeHub();
      hubs.push(hub);
      return hub.port;
    };
    const onState = (state: string) => void states.push(state);
    const nothing = () => undefined;
    tab = new Tab(
      { open, onState, onHappened: nothing, onReread: nothing, onSignedOut: nothing, onLeft: nothing },
      BEGAN - 500,
    );
  });
  afterEach(() => {
    tab.leave();
    mock.timers.reset();
  });

  const hub = () => hubs.at(-1) as FakeHub;

  it('sends the start time and followed apps to the hub', () => {
    tab.follow('a/b/one', () => undefined);
    tab.join();
    assert.deepEqual(hub().said, [
      { kind: 'join', since: BEGAN - 500 },
      { kind: 'follow', id: 1, app: 'a/b/one' },
    ]);
    tab.follow('a/b/two', () => undefined)();
    assert.deepEqual(hub().said.slice(2), [
      { kind: 'follow', id: 2, app: 'a/b/two' },
      { kind: 'unfollow', id: 2 },
    ]);
  });

  it('answers pings, acknowledges lines and delivers lines only to their follower', () => {
    const received: LogMessage[] = [];
    tab.follow('a/b/one', (message) => void received.push(message));
    tab.follow('a/b/two', () => assert.fail('these are not its lines'));
    tab.join();
    hub().tell({ kind: 'ping', at: BEGAN });
    hub().tell({
      kind: 'log',
      to: [1, 99],
      told: { kind: 'refused', refusal: { code: 'not_found', message: 'Gone.' } },
    });
    assert.deepEqual(
      hub()
        .said.slice(3)
        .map(({ kind }) => kind),
      ['here', 'took'],
    );
    const [first] = received;
    assert.equal(first?.kind === 'refused' && first.error.message, 'Gone.');
  });

  it('connects to a new hub after silence and resumes from the last ping', () => {
    const received: string[] = [];
    tab.follow('a/b/one', ({ kind }) => void received.push(kind));
    tab.join();
    mock.timers.tick(4_000);
    hub().tell({ kind: 'ping', at: BEGAN + 4_000 });
    mock.timers.tick(4_000);
    // An event may have waited for a long time while the page was frozen.
    hub().tell({ kind: 'happened', happened: { event: 'app', data: {} as never } });
    mock.timers.tick(PACE.lostMs - 1_000);
    assert.equal(hubs.length, 1);
    mock.timers.tick(2_000);
    assert.equal(hubs.length, 2);
    assert.deepEqual(states, ['away']);
    assert.deepEqual(hub().said[0], { kind: 'join', since: BEGAN + 4_000 });
    assert.deepEqual(hub().said[1], { kind: 'follow', id: 1, app: 'a/b/one' });
    assert.deepEqual(received, ['gap']);
  });

  it('stays disconnected after leaving until the tab joins again', () => {
    tab.join();
    tab.leave();
    assert.equal(hub().said.at(-1)?.kind, 'leave');
    mock.timers.tick(60_000);
    assert.equal(hubs.length, 1);
    tab.join();
    assert.equal(hubs.length, 2);
  });
});
