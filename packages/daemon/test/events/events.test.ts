/** The stream of events: the users who get an event, the start position, and the end of the stream. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  app,
  bootDaemon,
  cookieOf,
  deployedApp,
  type EventReader,
  keyFor,
  paramsOf,
  project,
  readEvents,
  signIn,
  type TestDaemon,
  user,
} from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';
import { deleteApiKey } from '../../src/db/tables/api-key.ts';
import { setUserRights } from '../../src/db/tables/user.ts';

const open = (daemon: TestDaemon, path: string, key = daemon.key, headers: Record<string, string> = {}) =>
  readEvents({ url: daemon.url }, path, { headers: { authorization: `Bearer ${key}`, ...headers } });
const reasonOf = async (reader: EventReader) => (await reader.until(({ event }) => event === 'reset')).data.reason;

describe('GET /api/events', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('sends each event with its sequence number, time and app', async () => {
    using reader = await open(daemon, '/api/events');

    const { reference } = await app(daemon);

    const projectEvent = await reader.next();
    assert.equal(projectEvent?.event, 'app');
    assert.equal(projectEvent.data.app, null);
    assert.equal(projectEvent.data.project, reference.split('/')[0]);
    const appEvent = await reader.until(({ data }) => data.app === reference);
    assert.equal(appEvent.id, String(appEvent.data.seq));
    assert.equal(appEvent.data.change, 'created');
    assert.ok(Number.isFinite(Date.parse(String(appEvent.data.at))));
  });

  it('sends only the requested event kinds of the requested app', async () => {
    const { app: one } = await deployedApp(daemon);
    using deployments = await open(daemon, `/api/events?kinds=deployment&app=${one.reference}&after=0`);
    using apps = await open(daemon, '/api/events?kinds=app');
    const { deployment } = await deployedApp(daemon, { project: one.project });

    const params = paramsOf(one);
    await daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v2' } });

    let ends = 0;
    await deployments.until(({ event, data }) => {
      assert.equal(event, 'deployment');
      assert.equal(data.app, one.reference);
      assert.notEqual(data.id, deployment.id);
      ends += data.status === 'succeeded' ? 1 : 0;
      return ends === 2;
    });
    await apps.until(({ event, data }) => {
      assert.equal(event, 'app');
      return data.change === 'live' && data.app === one.reference;
    });
  });

  it('resumes after a position without gaps or duplicates', async () => {
    const { reference } = await app(daemon);
    using before = await open(daemon, '/api/events?after=0');
    const created = await before.until(({ data }) => data.app === reference);
    const { reference: second } = await app(daemon);

    for (const headers of [{ 'last-event-id': String(created.id) }, {}]) {
      const query = 'last-event-id' in headers ? '?after=0' : `?after=${created.id}`;
      using resumed = await open(daemon, `/api/events${query}`, daemon.key, headers);
      const next = [];
      for (let event = await resumed.next(); event; event = await resumed.next()) {
        next.push(event);
        if (event.data.app === second) break;
      }
      assert.deepEqual(
        next.map(({ id }) => Number(id)),
        next.map((_, i) => Number(created.id) + 1 + i),
      );
    }
  });

  it('starts with a position from which a client can resume before any event', async () => {
    const { reference } = await app(daemon);
    using reader = await open(daemon, '/api/events');
    while (!reader.raw.includes('id: ')) await new Promise(setImmediate);
    const position = /^id: (\d+)\n\n/m.exec(reader.raw)?.[1];
    const { reference: second } = await app(daemon);
    using resumed = await open(daemon, `/api/events?after=${position}`);
    assert.equal((await resumed.until(({ data }) => data.change === 'created')).data.project, second.split('/')[0]);
    assert.ok(!resumed.raw.includes(reference));
  });

  it('starts with the events of the past seconds if requested', async () => {
    const { reference: old } = await app(daemon);
    daemon.core.store.tx((tx) => tx.run('UPDATE events SET at = at - 60000'));
    const { reference } = await app(daemon);
    using reader = await open(daemon, '/api/events?past=30');
    await reader.until(({ data }) => data.app === reference);
    assert.ok(!reader.raw.includes(old));
    using resumed = await open(daemon, '/api/events?past=30&after=0');
    await resumed.until(({ data }) => data.app === old);
  });

  it('sends a reset for an expired or unknown position and continues with new events', async () => {
    daemon.core.store.tx((tx) => tx.run('DELETE FROM events WHERE seq <= 2'));
    for (const after of ['0', '999999999']) {
      using reader = await open(daemon, `/api/events?after=${after}`);
      const reset = await reader.next();
      assert.equal(reset?.event, 'reset');
      assert.equal(reset.id, null);
      assert.equal(reset.data.reason, 'position_gone');
      const { reference } = await app(daemon);
      const first = await reader.next();
      assert.equal(first?.data.project, reference.split('/')[0]);
      assert.equal(first?.data.change, 'created');
    }
  });

  it('sends the deletion of an app and its project with their names, live and replayed', async () => {
    const { reference, project: name, environment, name: inIt } = await app(daemon);
    using reader = await open(daemon, '/api/events');
    await daemon.client.deleteApp({ params: { project: name, environment, app: inIt } });
    await daemon.client.deleteProject({ params: { project: name } });
    await daemon.settled();

    const last = await reader.until(({ data }) => data.project === name && data.app === null);
    assert.equal(last.data.change, 'deleted');
    using again = await open(daemon, `/api/events?after=${Number(last.id) - 5}`);
    await again.until(({ data }) => data.app === reference && data.change === 'deleted');
    await again.until(({ id }) => id === last.id);
  });

  it('hides events of other projects, live and replayed', async () => {
    const [mine, other] = [await project(daemon), await project(daemon)];
    const viewer = user(daemon, 'viewer', [mine]);
    using live = await open(daemon, '/api/events', viewer.key);
    const start = Number(
      (await daemon.core.store.get(unchecked<{ n: number }>('SELECT max(seq) AS n FROM events')))?.n,
    );
    await deployedApp(daemon, { project: other });
    const hidden = await app(daemon, { project: other });
    await daemon.client.deleteApp({ params: { project: other, environment: 'production', app: hidden.name } });
    await daemon.client.deleteProject({ params: { project: other } });
    await daemon.settled();
    const { reference } = await app(daemon, { project: mine });

    using later = await open(daemon, `/api/events?after=${start}`, viewer.key);
    for (const reader of [live, later]) {
      assert.equal((await reader.next())?.data.app, reference);
      assert.ok(!reader.raw.includes(other));
    }
  });

  it('refuses an unknown app, an unknown kind and an invalid position', async () => {
    const refused: [path: string, status: number, text: string][] = [
      ['/api/events?app=a/b/c', 404, 'This app does not exist'],
      ['/api/events?app=x', 400, 'app: must be an app in the form'],
      ['/api/events?kinds=log', 400, 'kinds: must be one or more of'],
      ['/api/events?kinds=', 400, 'kinds: must be one or more of'],
      ['/api/events?after=-1', 400, 'after: must be the ID of an event'],
      ['/api/events?after=now', 400, 'after: must be the ID of an event'],
    ];
    for (const [path, status, text] of refused) {
      const answer = await daemon.call('GET', path);
      assert.equal(answer.status, status, path);
      assert.ok(answer.text.startsWith(text), answer.text);
    }
    const headers = { authorization: `Bearer ${daemon.key}`, 'last-event-id': 'x' };
    const answer = await daemon.send({ path: '/api/events', headers });
    assert.equal(answer.text, 'Last-Event-ID: must be the ID of an event: 1 to 15 digits.\n');
    assert.equal((await daemon.call('HEAD', '/api/events')).status, 200);
  });
});

describe('the event stream of a deployment', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('sends all events of a finished deployment and then ends', async () => {
    const { app: made, deployment } = await deployedApp(daemon);
    const path = `/api/apps/${made.reference}/deployments/${deployment.id}/events`;

    using reader = await open(daemon, path);
    const events = await reader.rest();

    assert.ok(events.every(({ event, data }) => event === 'deployment' && data.id === deployment.id));
    const statuses = [...new Set(events.map(({ data }) => data.status))];
    assert.deepEqual(statuses, ['pending', 'running', 'succeeded']);
    const steps = events.flatMap(({ data }) => {
      const step = data.step as { name: string; state: string } | null;
      return step === null ? [] : [`${step.name} ${step.state}`];
    });
    const recorded = deployment.steps.flatMap(({ name }) => [`${name} started`, `${name} finished`]);
    assert.deepEqual(steps, recorded);

    using rest = await open(daemon, path, daemon.key, { 'last-event-id': String(events.at(-2)?.id) });
    assert.deepEqual(
      (await rest.rest()).map(({ id }) => id),
      [events.at(-1)?.id],
    );
    const over = await open(daemon, path, daemon.key, { 'last-event-id': String(events.at(-1)?.id) });
    assert.equal(over.status, 204);
  });

  it('sends the events of a started deployment until its end', async () => {
    const made = await app(daemon);
    const params = paramsOf(made);
    const begun = await daemon.client.deployApp({ params, body: { tag: 'v1' } });
    assert.ok('id' in begun);
    using reader = await open(daemon, `/api/apps/${made.reference}/deployments/${begun.id}/events`);
    const events = await reader.rest();
    assert.equal(events[0]?.data.status, 'pending');
    assert.equal(events.at(-1)?.data.status, 'succeeded');
  });

  it('sends a reset and the recorded status if the events were deleted', async () => {
    const { app: made, deployment } = await deployedApp(daemon);
    daemon.core.store.tx((tx) => tx.run('DELETE FROM events WHERE deployment_id = ?', deployment.id));
    const path = `/api/apps/${made.reference}/deployments/${deployment.id}/events`;
    using reader = await open(daemon, path);
    const events = await reader.rest();
    assert.deepEqual(
      events.map(({ data }) => data.reason ?? data.status),
      ['position_gone', 'succeeded'],
    );
    using over = await open(daemon, `${path}?after=${events.at(-1)?.id}`);
    assert.equal(over.status, 204);
  });

  it('sends a reset and all events for an unknown position', async () => {
    const { app: made, deployment } = await deployedApp(daemon);
    using reader = await open(daemon, `/api/apps/${made.reference}/deployments/${deployment.id}/events?after=999999`);
    const [reset, first] = await reader.rest();
    assert.deepEqual([reset?.data.reason, first?.data.status], ['position_gone', 'pending']);
  });
});

const HOUR_MS = 60 * 60_000;

describe('an open event stream', async () => {
  let passedMs = 0;
  const daemon = await bootDaemon({ now: () => Date.now() + passedMs });
  after(() => daemon[Symbol.asyncDispose]());
  const { store } = daemon.core;

  it('ends after the API key of the reader is deleted', async () => {
    const viewer = user(daemon, 'viewer');
    using reader = await open(daemon, '/api/events', viewer.key);
    store.tx((tx) =>
      deleteApiKey(
        tx,
        viewer.id,
        Number(tx.get(unchecked<{ id: number }>('SELECT max(id) AS id FROM api_keys'))?.id),
        Date.now(),
      ),
    );
    assert.equal(await reasonOf(reader), 'rights_ended');
    assert.equal(await reader.next(), null);
  });

  it('ends after the API key of the reader expires', async () => {
    const viewer = user(daemon, 'viewer');
    const key = keyFor(daemon, { id: viewer.id, role: 'viewer' }, { expiresAt: Date.now() + HOUR_MS });
    using reader = await open(daemon, '/api/events', key);
    passedMs = HOUR_MS;
    assert.equal(await reasonOf(reader), 'rights_ended');
  });

  it('ends after a sign-out, the deletion of the user or a change of rights', async () => {
    const cookie = cookieOf(await signIn(daemon));
    const [removed, demoted, limited] = [user(daemon, 'viewer'), user(daemon, 'admin'), user(daemon, 'viewer')];
    using one = await readEvents({ url: daemon.url }, '/api/events', { headers: { cookie } });
    using two = await open(daemon, '/api/events', removed.key);
    using three = await open(daemon, '/api/events', demoted.key);
    using four = await open(daemon, '/api/events', limited.key);

    await daemon.send({
      method: 'POST',
      path: '/api/auth/logout',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    store.tx((tx) => {
      tx.run('DELETE FROM users WHERE id = ?', removed.id);
      setUserRights(tx, demoted.id, 'viewer', null, Date.now());
      setUserRights(tx, limited.id, 'viewer', [], Date.now());
    });

    for (const reader of [one, two, three, four]) assert.equal(await reasonOf(reader), 'rights_ended');
  });

  it('ends without further events of a project after the reader loses access', async () => {
    const name = await project(daemon);
    const viewer = user(daemon, 'viewer', [name]);
    using reader = await open(daemon, '/api/events', viewer.key);
    const seen = await app(daemon, { project: name });
    await reader.until(({ data }) => data.app === seen.reference);

    store.tx((tx) => setUserRights(tx, viewer.id, 'viewer', [], Date.now()));
    const unseen = await app(daemon, { project: name });

    assert.equal((await reader.rest()).at(-1)?.data.reason, 'rights_ended');
    assert.ok(!reader.raw.includes(unseen.reference));
  });

  it('ends after the app of the followed deployment is deleted', async () => {
    const made = await app(daemon);
    const params = paramsOf(made);
    const gate = daemon.engine.controls.pause('createGroup');
    const begun = await daemon.client.deployApp({ params, body: { tag: 'v1' } });
    assert.ok('id' in begun);
    using reader = await open(daemon, `/api/apps/${made.reference}/deployments/${begun.id}/events`);
    await gate.reached;

    await daemon.client.deleteApp({ params });

    const last = (await reader.rest()).at(-1);
    // Either of the two events may come first: that the deployment was canceled, or that the rights have ended.
    const { reason, status } = last?.data ?? {};
    assert.ok(reason === 'rights_ended' || status === 'cancelled', JSON.stringify(last));
  });
});

describe('event streams during a restart', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('end with a reason when the instance stops, and can be resumed after the restart', async () => {
    const { reference } = await app(daemon);
    using reader = await open(daemon, '/api/events?after=0');
    const last = await reader.until(({ data }) => data.app === reference);

    await daemon.restart();

    assert.equal((await reader.rest()).at(-1)?.data.reason, 'stopping');
    await app(daemon);
    using resumed = await open(daemon, '/api/events', daemon.key, { 'last-event-id': String(last.id) });
    const first = await resumed.next();
    assert.equal(first?.id, String(Number(last.id) + 1));
    assert.equal(first?.data.change, 'created');
  });
});
