import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DavitError } from '@davit/api';
import { FakeTab, HubSetup } from '../../test/support/hub-setup.ts';
import { PACE } from './pace.ts';

describe('shared browser connection with logs', () => {
  let ground: HubSetup;

  beforeEach(() => {
    ground = new HubSetup();
  });
  afterEach(() => ground.leave());

  it('reconnects with log positions after a new follow, without lost or repeated lines', async () => {
    const [one, two] = await ground.opened('one', 'two');
    one.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await ground.settle(PACE.settleMs);
    assert.deepEqual([ground.newest.after, ground.newest.logs], ['10', ['a/b/one']]);
    ground.newest.open('');
    ground.newest.lines('a/b/one', 5, 'first');
    ground.newest.tell('app', { app: 'a/b/c' }, '12');
    await ground.settle();
    const left = ground.newest;
    two.say({ kind: 'follow', id: 1, app: 'a/b/two' });
    await ground.settle(PACE.settleMs);
    left.lines('a/b/one', 6, 'of a connection that was left');
    ground.newest.open('');
    ground.newest.lines('a/b/one', 6, 'second');
    await ground.settle();
    assert.deepEqual([ground.newest.after, ground.newest.logs], ['12', ['a/b/one@5', 'a/b/two']]);
    assert.deepEqual(one.heard(1), ['first', 'second']);
    assert.deepEqual(
      one.of('state').map(({ state }) => state),
      ['connecting', 'live'],
    );
  });

  it('sends recent lines of an already followed app to the new follower only', async () => {
    const [one, two] = await ground.opened('one', 'two');
    one.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await ground.settle(PACE.settleMs);
    ground.newest.open('');
    ground.newest.lines('a/b/one', 5, 'first');
    await ground.settle();
    two.say({ kind: 'follow', id: 7, app: 'a/b/one' });
    ground.newest.lines('a/b/one', 6, 'second');
    await ground.settle(1_000);
    assert.deepEqual(
      [one.heard(1), two.heard(7)],
      [
        ['first', 'second'],
        ['first', 'second'],
      ],
    );
    assert.equal(ground.connections.length, 2);
  });

  it('stops following apps of closed or unresponsive tabs', async () => {
    const [one, two, three] = await ground.opened('one', 'two', 'three');
    [one, two, three].forEach((tab, at) => void tab.say({ kind: 'follow', id: 1, app: `a/b/app${at}` }));
    await ground.settle(PACE.settleMs);
    ground.newest.open('');
    one.say({ kind: 'leave' });
    await ground.settle(PACE.settleMs);
    assert.deepEqual(ground.newest.logs, ['a/b/app1', 'a/b/app2']);
    ground.newest.open('');
    two.answers = false;
    await ground.pass(PACE.pingMs * (PACE.mostUnanswered + 2));
    assert.deepEqual(ground.newest.logs, ['a/b/app2']);
    assert.ok(two.isClosed);
    three.say({ kind: 'leave' });
    await ground.settle(1_000);
    assert.ok(ground.newest.hearing.signal.aborted);
    const asked = ground.connections.length;
    await ground.settle(60_000);
    assert.equal(ground.connections.length, asked);
  });

  it('sends no earlier events after a new login and requests a full refetch', async () => {
    const [one] = await ground.opened('one');
    one.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await ground.settle(PACE.settleMs);
    ground.newest.open('10');
    ground.newest.lines('a/b/one', 5, 'of the one before');
    ground.newest.tell('app', { seq: 11 }, '11');
    await ground.settle();
    const asked = ground.connections.length;

    one.say({ kind: 'signed_in' });
    await ground.settle();
    assert.equal(ground.connections.length, asked + 1);
    assert.deepEqual([ground.newest.after, ground.newest.logs], ['11', ['a/b/one']], 'without a position in lines');
    assert.equal(one.of('reread').length, 1);
    const two = new FakeTab(ground.hub, Date.now() - 1_000);
    two.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await ground.settle(PACE.settleMs);
    assert.deepEqual([two.of('happened'), two.heard(1)], [[], []]);
    assert.equal(two.of('reread').length, 1);
    ground.newest.lines('a/b/one', 5, 'of the next');
    await ground.settle();
    assert.deepEqual([one.heard(1), two.heard(1)], [['of the one before', '(gap)', 'of the next'], ['of the next']]);
  });

  it('continues without refused or ended apps and notifies their followers', async () => {
    const [tab] = await ground.opened('one');
    ground.missing.set('a/b/none', { code: 'not_found', message: 'App not found.' });
    ground.refuse = new DavitError('not_found', 'App not found.');
    for (const [id, app] of ['a/b/none', 'a/b/one', 'NO/such/name'].entries()) tab.say({ kind: 'follow', id, app });
    await ground.settle(PACE.settleMs);
    assert.deepEqual(ground.newest.logs, ['a/b/one']);
    assert.deepEqual([tab.heard(0), tab.heard(2)], [['(refused)'], ['(refused)']]);
    ground.newest.open('');
    ground.newest.lines('a/b/one', 5, 'first');
    ground.newest.tell('reset', { app: 'a/b/one', reason: 'position_gone', message: '' });
    ground.newest.lines('a/b/one', 9, 'newest');
    ground.newest.tell('reset', { app: 'a/b/one', reason: 'rights_ended', message: 'Gone.' });
    await ground.settle();
    assert.deepEqual(tab.heard(1), ['first', '(gap)', 'newest', '(refused)']);
    assert.equal(tab.state, 'live');
  });

  it('sends a gap to a busy tab instead of queuing all lines', async () => {
    const [tab] = await ground.opened('one');
    tab.say({ kind: 'follow', id: 1, app: 'a/b/one' });
    await ground.settle(PACE.settleMs);
    ground.newest.open('');
    tab.answers = false;
    for (let n = 1; n <= 1_000; n += 1) ground.newest.lines('a/b/one', n, `line ${n}`);
    await ground.settle();
    const underWay = tab.of('log').length;
    assert.ok(underWay < 100, `${underWay} under way`);
    for (let n = 0; n < underWay; n += 1) tab.say({ kind: 'took' });
    const heard = tab.heard(1);
    assert.equal(heard[underWay], '(gap)');
    assert.equal(heard.at(-1), 'line 1000');
  });

  it('limits followed apps per stream and adds the next after an unfollow', async () => {
    const [tab] = await ground.opened('one');
    for (let n = 1; n <= 17; n += 1) tab.say({ kind: 'follow', id: n, app: `a/b/app${n}` });
    await ground.settle(PACE.settleMs);
    assert.equal(ground.newest.logs.length, 16);
    assert.deepEqual(tab.heard(17), ['(refused)']);
    tab.say({ kind: 'unfollow', id: 1 });
    await ground.settle(PACE.settleMs);
    assert.equal(ground.newest.logs.at(-1), 'a/b/app17');
  });
});
