import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DavitError } from '@davit/api';
import { FakeTab, HubSetup } from '../../test/support/hub-setup.ts';
import { PACE } from './pace.ts';

describe('shared browser connection', () => {
  let ground: HubSetup;

  beforeEach(() => {
    ground = new HubSetup();
  });
  afterEach(() => ground.leave());

  it('opens a single connection and sends events to all tabs', async () => {
    const [one, two] = await ground.opened('one', 'two');
    ground.newest.tell('app', { app: 'a/b/c' }, '11');
    await ground.settle();
    assert.equal(ground.connections.length, 1);
    for (const tab of [one, two]) {
      assert.equal(tab.state, 'live');
      assert.equal(tab.of('happened').length, 1);
    }
  });

  it('notifies the other tabs if a tab reports a sign-out', async () => {
    const [one, two, three] = await ground.opened('one', 'two', 'three');
    two.say({ kind: 'left' });
    assert.deepEqual(
      [one, two, three].map((tab) => tab.of('left').length),
      [1, 0, 1],
    );
  });

  it('reports a silent connection as away and resumes after the last event', async () => {
    const [tab] = await ground.opened('one');
    ground.newest.tell('app', {}, '15');
    await ground.pass(PACE.silentMs * 2);
    assert.equal(tab.state, 'live');
    await ground.pass(PACE.silentMs + 1_000, false);
    assert.equal(tab.state, 'away');
    ground.newest.open('');
    await ground.settle();
    assert.equal(ground.newest.after, '15');
    assert.equal(tab.state, 'live');
  });

  it('tolerates a short interruption and retries a long interruption less and less often', async () => {
    const [tab] = await ground.opened('one');
    ground.newest.end();
    await ground.settle(1);
    ground.newest.open('');
    await ground.settle(PACE.blinkMs * 2);
    assert.equal(tab.state, 'live');

    ground.refuse = new DavitError('unavailable', 'Not now.');
    ground.newest.end();
    await ground.settle(1);
    await ground.settle(1);
    assert.equal(tab.state, 'away');
    const before = ground.connections.length;
    await ground.pass(60_000, false);
    const tries = ground.connections.length - before;
    assert.ok(tries > 60_000 / PACE.longestRetryMs - 2 && tries < 25, `${tries} times in a minute`);
    ground.refuse = null;
    await ground.settle(PACE.longestRetryMs);
    ground.newest.open('');
    assert.equal(tab.state, 'live');
  });

  it('requests events since the page load, or a full refetch for old pages', async () => {
    const tab = new FakeTab(ground.hub, Date.now() - 10_000);
    await ground.settle();
    assert.equal(ground.newest.pastS, 12);
    ground.newest.open('10');
    assert.equal(tab.of('reread').length, 0);
    tab.say({ kind: 'leave' });
    await ground.settle();
    const old = new FakeTab(ground.hub, Date.now() - 3_600_000);
    await ground.settle();
    assert.equal(ground.newest.pastS, null);
    ground.newest.open('10');
    assert.equal(old.of('reread').length, 1);
  });

  it('requests a full refetch if the position is gone', async () => {
    const [tab] = await ground.opened('one');
    assert.equal(tab.of('reread').length, 0);
    ground.newest.tell('reset', { reason: 'position_gone', message: '' });
    await ground.settle();
    assert.equal(tab.of('reread').length, 1);
  });

  it('sends missed events to a new tab, or requests a full refetch', async () => {
    await ground.opened('one');
    await ground.pass(10_000);
    ground.newest.tell('app', { seq: 11 }, '11');
    await ground.pass(10_000);
    ground.newest.tell('app', { seq: 12 }, '12');
    await ground.settle();
    const tab = new FakeTab(ground.hub);
    assert.deepEqual(
      tab.of('happened').map(({ happened }) => (happened.data as { seq: number }).seq),
      [12],
    );
    assert.equal(tab.of('reread').length, 0);
    tab.say({ kind: 'join', since: Date.now() - 60_000 });
    assert.equal(tab.of('reread').length, 1);
  });

  it('reports a missing login and reconnects after the next login', async () => {
    ground.refuse = new DavitError('unauthorized', 'Nobody is signed in.');
    const tab = new FakeTab(ground.hub);
    await ground.settle();
    assert.equal(tab.of('signed_out').length, 1);
    assert.equal(tab.state, 'away');
    await ground.settle(60_000);
    assert.equal(ground.connections.length, 1);
    ground.refuse = null;
    tab.say({ kind: 'signed_in' });
    await ground.settle();
    ground.newest.open('10');
    assert.equal(tab.state, 'live');
  });
});
