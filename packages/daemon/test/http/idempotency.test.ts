/**
 * Tests requests with an Idempotency-Key: their single execution, repeated responses, and requests without idempotency.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { app, bootDaemon, deployedApp, keyFor, project, send, slug, user } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';
import { answersTask } from '../../src/reconcilers/answers.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('Idempotency-Key', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  // The store is read each time, because a restart opens another one.
  const db = () => daemon.core.store;
  const post = (path: string, key: string, body?: unknown, headers = {}) =>
    daemon.ask('POST', path, { 'idempotency-key': key, ...headers }, body);

  it('runs a repeated request once and repeats the response', async () => {
    const body = { slug: slug('once') };
    const first = await post('/api/projects', 'a', body);
    const second = await post('/api/projects', 'a', body);

    assert.equal(first.status, 201);
    assert.equal(first.headers.get('idempotency-replayed'), null);
    assert.equal(second.status, 201);
    assert.equal(second.text, first.text);
    assert.equal(second.headers.get('location'), first.headers.get('location'));
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
  });

  it('starts one deployment for repeated deploy requests, with and without waiting', async () => {
    const { reference } = await app(daemon);
    for (const query of ['', '?wait=true']) {
      const path = `/api/apps/${reference}/deploy${query}`;
      const first = await post(path, `deploy${query}`, { tag: 'v1' });
      const second = await post(path, `deploy${query}`, { tag: 'v1' });
      assert.equal(second.status, first.status);
      assert.equal(second.text, first.text);
    }
    assert.equal((await daemon.call('GET', `/api/apps/${reference}/deployments`)).text.match(/"trigger"/g)?.length, 2);
  });

  it('is refused with another body or another query', async () => {
    await post('/api/projects', 'b', { slug: slug('b') });
    const answer = await post('/api/projects', 'b', { slug: slug('b') });
    assert.equal(answer.status, 422);
    const { reference } = await app(daemon);
    await post(`/api/apps/${reference}/deploy?wait=true`, 'q', { tag: 'v1' });
    assert.equal((await post(`/api/apps/${reference}/deploy`, 'q', { tag: 'v1' })).status, 422);
  });

  it('is not stored for a dry run', async () => {
    const { reference } = await app(daemon);
    const dry = () => post(`/api/apps/${reference}/deploy?dry_run=true`, 'dry', { tag: 'v1' });
    assert.equal((await dry()).status, 200);
    assert.equal((await dry()).headers.get('idempotency-replayed'), null);
    assert.equal((await post(`/api/apps/${reference}/deploy`, 'dry', { tag: 'v1' })).status, 202);
  });

  it('applies only to the same caller and the same route', async () => {
    const body = { slug: slug('mine') };
    assert.equal((await post('/api/projects', 'c', body)).status, 201);
    const other = user(daemon, 'admin');
    const theirs = await post('/api/projects', 'c', body, { authorization: `Bearer ${other.key}` });
    assert.equal(theirs.status, 409);
    const narrow = keyFor(daemon, { id: other.id, role: 'admin' }, { projects: [body.slug] });
    const environment = { slug: 'beta' };
    const path = `/api/projects/${body.slug}/environments`;
    assert.equal((await post(path, 'c', environment, { authorization: `Bearer ${other.key}` })).status, 201);
    assert.equal((await post(path, 'c', environment, { authorization: `Bearer ${narrow}` })).status, 409);
  });

  it('is not stored for a refused request without changes', async () => {
    const name = slug('late');
    const path = `/api/projects/${name}/environments`;
    assert.equal((await post(path, 'd', { slug: 'beta' })).status, 404);
    assert.equal((await post(path, 'd', { slug: '!' })).status, 404);
    await project(daemon, name);
    assert.equal((await post(path, 'd', { slug: 'production' })).status, 409);
    assert.equal((await post(path, 'd', { slug: 'beta' })).status, 201);
  });

  it('is stored in the same transaction as the change', async () => {
    const name = slug('crash');
    const found: unknown[] = [];
    const stop = db().onEvent(({ kind, data }) => {
      if (kind === 'project' && data.project === name)
        found.push(...db().all(unchecked("SELECT status FROM answers WHERE key = 'e'")));
    });
    await post('/api/projects', 'e', { slug: name });
    stop();
    assert.deepEqual({ ...(found[0] as object) }, { status: null });
  });

  it('refuses a repeated request whose first response was lost', async () => {
    const body = { slug: slug('lost') };
    await post('/api/projects', 'f', body);
    db().tx((tx) => tx.run("UPDATE answers SET status = NULL, answer = NULL WHERE key = 'f'"));
    await daemon.restart();
    const answer = await post('/api/projects', 'f', body);
    assert.equal(answer.status, 409);
    assert.match(answer.text, /The result of the first request .* is unknown/);
  });

  it('refuses a repetition during the first request, which continues without its client', async () => {
    const { reference } = await app(daemon);
    const gate = daemon.engine.controls.pause('createGroup');
    const path = `/api/apps/${reference}/deploy?wait=true`;
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${daemon.key}`, 'idempotency-key': 'g', ...JSON_TYPE };
    const body = '{"tag":"v1"}';
    const first = send({ url: daemon.url }, { method: 'POST', path, headers, body, signal: leaving.signal });
    first.catch(() => undefined);
    await gate.reached;
    leaving.abort();

    const duplicate = await post(path, 'g', { tag: 'v1' });
    assert.equal(duplicate.status, 409);
    assert.match(duplicate.text, /still in progress/);
    assert.equal(duplicate.headers.get('retry-after'), '1');
    gate.open();
    await daemon.settled();
    const again = await post(path, 'g', { tag: 'v1' });
    assert.equal(again.status, 200);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(JSON.parse(again.text).status, 'succeeded');
  });

  it('starts a streamed run only once', async () => {
    const { app: made } = await deployedApp(daemon);
    const run = `/api/apps/${made.reference}/run?follow=true`;
    const first = await post(run, 'live', { command: ['true'] });
    assert.equal(first.status, 200, first.text);
    assert.match(first.text, /^event: run$/m);
    const second = await post(run, 'live', { command: ['true'] });
    assert.equal(second.status, 409);
    assert.equal(db().all(unchecked('SELECT 1 FROM runs')).length, 1);
  });

  it('is not stored for a refused streamed request', async () => {
    const { reference } = await app(daemon);
    const run = `/api/apps/${reference}/run?follow=true`;
    assert.equal((await post(run, 'refused', { command: ['true'] })).status, 409);

    await daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v1' });

    assert.equal((await post(run, 'refused', { command: ['true'] })).status, 200);
  });

  it('is stored in the same transaction as a streamed run', async () => {
    const { app: made } = await deployedApp(daemon);
    const found: unknown[] = [];
    const stop = db().onEvent(({ kind, data }) => {
      if (kind === 'app' && data.run !== undefined)
        found.push(db().get(unchecked("SELECT 1 AS n FROM answers WHERE key = 'told'")));
    });
    await post(`/api/apps/${made.reference}/run?follow=true`, 'told', { command: ['true'] });
    stop();
    assert.deepEqual({ ...(found[0] as object) }, { n: 1 });
  });

  it('stores the responses of requests encrypted in the database', async () => {
    const made = await post('/api/users/me/api-keys', 'h', { name: 'x' });
    const { key } = JSON.parse(made.text) as { key: string };
    assert.equal((await post('/api/users/me/api-keys', 'h', { name: 'x' })).text, made.text);
    const rows = JSON.stringify(db().all(unchecked('SELECT * FROM answers')));
    assert.ok(!rows.includes(key));
  });

  it('expires after one day', async () => {
    const body = { slug: slug('old') };
    await post('/api/projects', 'i', body);
    db().tx((tx) => tx.run("UPDATE answers SET at = at - 86400001 WHERE key = 'i'"));
    assert.equal((await post('/api/projects', 'i', body)).status, 409);
    await answersTask(daemon.core).run(new AbortController().signal);
    assert.deepEqual(db().all(unchecked("SELECT 1 FROM answers WHERE key = 'i'")), []);
    assert.notDeepEqual(db().all(unchecked('SELECT 1 FROM answers')), []);
  });

  it('must be visible ASCII and is ignored for requests other than POST', async () => {
    for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'ü']) {
      assert.equal((await post('/api/projects', key, { slug: slug('p') })).status, 400, key);
    }
    assert.equal((await post('/api/projects', 'x'.repeat(255), { slug: slug('p') })).status, 201);
    assert.equal((await daemon.ask('GET', '/api/projects', { 'idempotency-key': 'a b' })).status, 200);
  });
});
