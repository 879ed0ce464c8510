import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DavitError } from '@davit/api';
import { FakeTab, HubSetup } from '../../test/support/hub-setup.ts';
import { PACE } from './pace.ts';

describe('shared browser connection with logs', () => {
  let setup: HubSetup;

  beforeEach(() => {
    setup = new HubSetup();
  });
  afterEach(() => setup.leave());

  it('reconnects with log positions after a new follow, without lost or repeated lines', async () => {
    const [one, two] = await setup.opened('one', 'two');
    one.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await setup.settle(PACE.settleMs);
    assert.deepEqual([setup.newest.after, setup.newest.logs], ['10', ['a/b/one']]);
    setup.newest.open('');
    setup.newest.lines('a/b/one', 5, 'first');
    setup.newest.tell('app', { app: 'a/b/c' }, '12');
    await setup.settle();
    const left = setup.newest;
    two.say({ kind: 'follow', id: 1, app: 'a/b/two' });
    await setup.settle(PACE.settleMs);
    left.lines('a/b/one', 6, 'of a connection that was left');
    setup.newest.open('');
    setup.newest.lines('a/b/one', 6, 'second');
    await setup.settle();
    assert.deepEqual([setup.newest.after, setup.newest.logs], ['12', ['a/b/one@5', 'a/b/two']]);
    assert.deepEqual(one.heard(1), ['first', 'second']);
    assert.deepEqual(
      one.of('state').map(({ state }) => state),
      ['connecting', 'live'],
    );
  });

  it('sends recent lines of an already followed app to the new follower only', async () => {
    const [one, two] = await setup.opened('one', 'two');
    one.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await setup.settle(PACE.settleMs);
    setup.newest.open('');
    setup.newest.lines('a/b/one', 5, 'first');
    await setup.settle();
    two.say({ kind: 'follow', id: 7, app: 'a/b/one' });
    setup.newest.lines('a/b/one', 6, 'second');
    await setup.settle(1_000);
    assert.deepEqual(
      [one.heard(1), two.heard(7)],
      [
        ['first', 'second'],
        ['first', 'second'],
      ],
    );
    assert.equal(setup.connections.length, 2);
  });

  it('stops following apps of closed or unresponsive tabs', async () => {
    const [one, two, three] = await setup.opened('one', 'two', 'three');
    [one, two, three].forEach((tab, at) => void tab.say({ kind: 'follow', id: 1, app: `a/b/app${at}` }));
    await setup.settle(PACE.settleMs);
    setup.newest.open('');
    one.say({ kind: 'leave' });
    await setup.settle(PACE.settleMs);
    assert.deepEqual(setup.newest.logs, ['a/b/app1', 'a/b/app2']);
    setup.newest.open('');
    two.answers = false;
    await setup.pass(PACE.pingMs * (PACE.mostUnanswered + 2));
    assert.deepEqual(setup.newest.logs, ['a/b/app2']);
    assert.ok(two.isClosed);
    three.say({ kind: 'leave' });
    await setup.settle(1_000);
    assert.ok(setup.newest.hearing.signal.aborted);
    const connectionCount = setup.connections.length;
    await setup.settle(60_000);
    assert.equal(setup.connections.length, connectionCount);
  });

  it('sends no earlier events after a new login and requests a full refetch', async () => {
    const [one] = await setup.opened('one');
    one.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await setup.settle(PACE.settleMs);
    setup.newest.open('10');
    setup.newest.lines('a/b/one', 5, 'of the one before');
    setup.newest.tell('app', { seq: 11 }, '11');
    await setup.settle();
    const connectionCount = setup.connections.length;

    one.say({ kind: 'signed_in' });
    await setup.settle();
    assert.equal(setup.connections.length, connectionCount + 1);
    assert.deepEqual([setup.newest.after, setup.newest.logs], ['11', ['a/b/one']], 'without a position in lines');
    assert.equal(one.of('reread').length, 1);
    const two = new FakeTab(setup.hub, Date.now() - 1_000);
    two.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await setup.settle(PACE.settleMs);
    assert.deepEqual([two.of('happened'), two.heard(1)], [[], []]);
    assert.equal(two.of('reread').length, 1);
    setup.newest.lines('a/b/one', 5, 'of the next');
    await setup.settle();
    assert.deepEqual([one.heard(1), two.heard(1)], [['of the one before', '(gap)', 'of the next'], ['of the next']]);
  });

  it('continues without refused or ended apps and notifies their followers', async () => {
    const [tab] = await setup.opened('one');
    setup.missing.set('a/b/none', { code: 'not_found', message: 'App not found.' });
    setup.refuse = new DavitError('not_found', 'App not found.');
    for (const [id, app] of ['a/b/none', 'a/b/one', 'NO/such/name'].entries()) tab.say({ kind: 'follow', id, app });
    await setup.settle(PACE.settleMs);
    assert.deepEqual(setup.newest.logs, ['a/b/one']);
    assert.deepEqual([tab.heard(0), tab.heard(2)], [['(refused)'], ['(refused)']]);
    setup.newest.open('');
    setup.newest.lines('a/b/one', 5, 'first');
    setup.newest.tell('reset', { app: 'a/b/one', reason: 'position_gone', message: '' });
    setup.newest.lines('a/b/one', 9, 'newest');
    setup.newest.tell('reset', { app: 'a/b/one', reason: 'rights_ended', message: 'Gone.' });
    await setup.settle();
    assert.deepEqual(tab.heard(1), ['first', '(gap)', 'newest', '(refused)']);
    assert.equal(tab.state, 'live');
  });

  it('sends a gap to a busy tab instead of queuing all lines', async () => {
    const [tab] = await setup.opened('one');
    tab.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await setup.settle(PACE.settleMs);
    setup.newest.open('');
    tab.answers = false;
    for (let n = 1; n <= 1_000; n += 1) setup.newest.lines('a/b/one', n, `line ${n}`);
    await setup.settle();
    const underWay = tab.of('log').length;
    assert.ok(underWay < 100, `${underWay} lines are not delivered yet`);
    for (let n = 0; n < underWay; n += 1) tab.say({ kind: 'took' });
    const received = tab.heard(1);
    assert.equal(received[underWay], '(gap)');
    assert.equal(received.at(-1), 'line 1000');
  });

  it('limits followed apps per stream and adds the next after an unfollow', async () => {
    const [tab] = await setup.opened('one');
    for (let n = 1; n <= 17; n += 1) tab.say({ kind: 'follow', id: n, app: `a/b/app${n}` });
    await setup.settle(PACE.settleMs);
    assert.equal(setup.newest.logs.length, 16);
    assert.deepEqual(tab.heard(17), ['(refused)']);
    tab.say({ kind: 'unfollow', id: 1 });
    await setup.settle(PACE.settleMs);
    assert.equal(setup.newest.logs.at(-1), 'a/b/app17');
  });
});
