import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DavitError } from '@davit/api';
import { FakeTab, HubSetup } from '../../test/support/hub-setup.ts';
import { PACE } from './pace.ts';

describe('shared browser connection', () => {
  let setup: HubSetup;

  beforeEach(() => {
    setup = new HubSetup();
  });
  afterEach(() => setup.leave());

  it('opens a single connection and sends events to all tabs', async () => {
    const [one, two] = await setup.opened('one', 'two');
    setup.newest.tell('app', { app: 'a/b/c' }, '11');
    await setup.settle();
    assert.equal(setup.connections.length, 1);
    for (const tab of [one, two]) {
      assert.equal(tab.state, 'live');
      assert.equal(tab.of('happened').length, 1);
    }
  });

  it('notifies the other tabs if a tab reports a sign-out', async () => {
    const [one, two, three] = await setup.opened('one', 'two', 'three');
    two.say({ kind: 'left' });
    assert.deepEqual(
      [one, two, three].map((tab) => tab.of('left').length),
      [1, 0, 1],
    );
  });

  it('reports a silent connection as away and resumes after the last event', async () => {
    const [tab] = await setup.opened('one');
    setup.newest.tell('app', {}, '15');
    await setup.pass(PACE.silentMs * 2);
    assert.equal(tab.state, 'live');
    await setup.pass(PACE.silentMs + 1_000, false);
    assert.equal(tab.state, 'away');
    setup.newest.open('');
    await setup.settle();
    assert.equal(setup.newest.after, '15');
    assert.equal(tab.state, 'live');
  });

  it('tolerates a short interruption and retries a long interruption less and less often', async () => {
    const [tab] = await setup.opened('one');
    setup.newest.end();
    await setup.settle(1);
    setup.newest.open('');
    await setup.settle(PACE.blinkMs * 2);
    assert.equal(tab.state, 'live');

    setup.refuse = new DavitError('unavailable', 'Not now.');
    setup.newest.end();
    await setup.settle(1);
    await setup.settle(1);
    assert.equal(tab.state, 'away');
    const before = setup.connections.length;
    await setup.pass(60_000, false);
    const tries = setup.connections.length - before;
    assert.ok(tries > 60_000 / PACE.longestRetryMs - 2 && tries < 25, `${tries} times in a minute`);
    setup.refuse = null;
    await setup.settle(PACE.longestRetryMs);
    setup.newest.open('');
    assert.equal(tab.state, 'live');
  });

  it('requests events since the page load, or a full refetch for old pages', async () => {
    const tab = new FakeTab(setup.hub, Date.now() - 10_000);
    await setup.settle();
    assert.equal(setup.newest.pastS, 12);
    setup.newest.open('10');
    assert.equal(tab.of('reread').length, 0);
    tab.say({ kind: 'leave' });
    await setup.settle();
    const old = new FakeTab(setup.hub, Date.now() - 3_600_000);
    await setup.settle();
    assert.equal(setup.newest.pastS, null);
    setup.newest.open('10');
    assert.equal(old.of('reread').length, 1);
  });

  it('requests a full refetch if the position is gone', async () => {
    const [tab] = await setup.opened('one');
    assert.equal(tab.of('reread').length, 0);
    setup.newest.tell('reset', { reason: 'position_gone', message: '' });
    await setup.settle();
    assert.equal(tab.of('reread').length, 1);
  });

  it('sends missed events to a new tab, or requests a full refetch', async () => {
    await setup.opened('one');
    await setup.pass(10_000);
    setup.newest.tell('app', { seq: 11 }, '11');
    await setup.pass(10_000);
    setup.newest.tell('app', { seq: 12 }, '12');
    await setup.settle();
    const tab = new FakeTab(setup.hub);
    assert.deepEqual(
      tab.of('happened').map(({ happened }) => (happened.data as { seq: number }).seq),
      [12],
    );
    assert.equal(tab.of('reread').length, 0);
    tab.say({ kind: 'join', since: Date.now() - 60_000 });
    assert.equal(tab.of('reread').length, 1);
  });

  it('reports a missing login and reconnects after the next login', async () => {
    setup.refuse = new DavitError('unauthorized', 'Nobody is signed in.');
    const tab = new FakeTab(setup.hub);
    await setup.settle();
    assert.equal(tab.of('signed_out').length, 1);
    assert.equal(tab.state, 'away');
    await setup.settle(60_000);
    assert.equal(setup.connections.length, 1);
    setup.refuse = null;
    tab.say({ kind: 'signed_in' });
    await setup.settle();
    setup.newest.open('10');
    assert.equal(tab.state, 'live');
  });
});
