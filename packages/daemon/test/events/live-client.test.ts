/** Tests the typed API client with a running instance: event streams, reconnections, and the end of streams. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createClient, DavitError } from '@davit/api';
import { app, bootDaemon, deployedApp, paramsOf, project, slug, user } from '@davit/testkit';

describe('the typed client', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const clientOf = (key = daemon.key) => createClient({ url: daemon.url, key });

  it('follows the events of a deployment to its end', async () => {
    const { app: made, deployment } = await deployedApp(daemon);
    const params = paramsOf(made);
    const statuses = new Set<string>();
    for await (const { data } of clientOf().live.followDeployment({
      params: { ...params, deployment: String(deployment.id) },
    })) {
      if ('status' in data) statuses.add(data.status);
    }
    assert.deepEqual([...statuses], ['pending', 'running', 'succeeded']);
  });

  it('resumes after the last event when the instance has restarted', async () => {
    const settled: string[] = [];
    const name = slug('before');
    // The next process has another address.
    const client = createClient({
      url: 'http://davit',
      key: daemon.key,
      fetch: (input, init) => fetch(input.replace('http://davit', daemon.url), init),
    });
    const events = client.live.followEvents({ query: { after: '0' } });
    await project(daemon, name);
    for await (const { event, data } of events) {
      if (event === 'reset') settled.push('reason' in data ? data.reason : '');
      if (!('change' in data) || !('project' in data)) continue;
      if (data.project === name && data.change === 'created' && settled.length === 0) {
        settled.push(name);
        await daemon.restart();
        await project(daemon, 'after');
      }
      if (data.project === 'after') break;
    }
    assert.deepEqual(settled, [name, 'stopping']);
  });

  it('stops following when its signal aborts, and rejects with the code of a refusal', async () => {
    const stop = new AbortController();
    const events = clientOf().live.followEvents({ signal: stop.signal });
    const next = events.next();
    stop.abort(new Error('enough'));
    await assert.rejects(next, /enough/);
    const refused = createClient({ url: daemon.url, key: 'none' }).live.followEvents().next();
    await assert.rejects(refused, (error) => error instanceof DavitError && error.code === 'unauthorized');
  });

  it('rejects with status 401 while following after its user was deleted', async () => {
    const viewer = user(daemon, 'viewer');
    const events = clientOf(viewer.key).live.followEvents();
    const first = events.next();
    await app(daemon);
    await first;
    daemon.core.store.tx((tx) => tx.run('DELETE FROM users WHERE id = ?', viewer.id));
    const rest = (async () => {
      for await (const _ of events);
    })();
    await assert.rejects(rest, (error) => error instanceof DavitError && error.status === 401);
  });

  it('sends an idempotency key and an ETag for If-Match', async () => {
    const client = clientOf();
    const body = { slug: slug('key') };
    const first = await client.createProject({ body, idempotencyKey: body.slug });
    assert.deepEqual(await client.createProject({ body, idempotencyKey: body.slug }), first);
    const made = await app(daemon);
    const params = paramsOf(made);
    let tag = '';
    await client.getApp({ params, onHeaders: (headers) => (tag = headers.get('etag') ?? '') });
    await client.patchApp({ params, body: { args: ['a'] }, ifMatch: tag });
    const late = client.patchApp({ params, body: { args: ['b'] }, ifMatch: tag });
    await assert.rejects(late, (error) => error instanceof DavitError && error.code === 'precondition_failed');
  });
});
