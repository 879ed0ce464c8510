/**
 * Effects of a push: notifications arrive in any order and shape, lost notifications are detected, and each push is
 * deployed once.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { App, Deployment } from '@davit/api';
import { app, bootDaemon, paramsOf, type TestDaemon } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';
import { pushOf } from '../../src/db/tables/push.ts';
import { notifyPush, sendNotification } from '../support/registry-setup.ts';

const pushedApp = (daemon: TestDaemon, fields: object = {}) =>
  app(daemon, { source: 'registry', image: null, ...fields });

/** Returns the deployments of an app, newest first. */
function deployments(daemon: TestDaemon, of: App): Promise<Deployment[]> {
  return daemon.client.listDeployments({ params: paramsOf(of) });
}

async function triggers(daemon: TestDaemon, of: App): Promise<string[]> {
  await daemon.daemon.settled();
  return (await deployments(daemon, of)).map(({ tag, trigger, status }) => `${tag} ${trigger.kind} ${status}`);
}

describe('a push', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { registry } = daemon;
  const rowOf = async (of: App, tag: string) => {
    const { text } = await daemon.call('GET', `/api/apps/${of.reference}`);
    assert.equal(JSON.parse(text).reference, of.reference);
    const { id } = daemon.core.store.get(
      unchecked<{ id: number }>(
        'SELECT a.id FROM apps a JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id WHERE p.slug = ? AND a.name = ?',
      ),
      of.project,
      of.name,
    ) ?? { id: 0 };
    return pushOf(daemon.core.store, id, tag);
  };

  it('to an app that is not pinned deploys its image as the pushing user', async () => {
    const web = await pushedApp(daemon);
    const digest = registry.push(web.reference, 'v1');

    assert.equal((await notifyPush(daemon, { repository: web.reference, tag: 'v1', by: 'ada' })).status, 200);
    await daemon.daemon.settled();

    const [deployment] = await deployments(daemon, web);
    assert.deepEqual(deployment?.trigger, { kind: 'push', by: 'ada', via: 'push' });
    assert.deepEqual([deployment?.status, deployment?.tag, deployment?.digest], ['succeeded', 'v1', digest]);
    const { text } = await daemon.call('GET', '/api/audit');
    const row = JSON.parse(text).events.find((one: { via: string }) => one.via === 'push');
    assert.deepEqual([row.actor, row.operation, row.target], ['ada', 'deployApp', web.reference]);
  });

  it('of the same image is deployed once, and of another image again', async () => {
    const web = await pushedApp(daemon);
    registry.push(web.reference, 'v1', 'one');
    const event = { repository: web.reference, tag: 'v1', at: new Date(Date.now() - 60_000).toISOString() };
    for (let i = 0; i < 5; i += 1) await notifyPush(daemon, event, event);
    assert.deepEqual(await triggers(daemon, web), ['v1 push succeeded']);

    registry.push(web.reference, 'v1', 'two');
    await notifyPush(daemon, event);

    assert.deepEqual(await triggers(daemon, web), ['v1 push succeeded', 'v1 push succeeded']);
  });

  it('of a tag that is already deployed causes no other deployment', async () => {
    const web = await pushedApp(daemon);
    registry.push(web.reference, 'v1');
    await daemon.client.deployApp({ params: paramsOf(web), query: { wait: 'true' }, body: { tag: 'v1' } });

    await notifyPush(daemon, { repository: web.reference, tag: 'v1' });

    assert.deepEqual(await triggers(daemon, web), ['v1 api succeeded']);
  });

  it('of artifacts right after an image neither cancels its deployment nor is deployed', async () => {
    const web = await pushedApp(daemon);
    const digest = registry.push(web.reference, 'v1');
    registry.pushArtifact(web.reference, 'chart');
    const signature = `${digest.replace(':', '-')}.sig`;
    registry.push(web.reference, signature);

    await notifyPush(daemon, ...['v1', 'chart', signature].map((tag) => ({ repository: web.reference, tag })));

    assert.deepEqual(await triggers(daemon, web), ['v1 push succeeded']);
    assert.deepEqual(
      (await daemon.client.listReleases({ params: paramsOf(web) })).map(({ tag }) => tag),
      ['v1'],
    );
    assert.match((await rowOf(web, 'chart'))?.reason ?? '', /does not contain a container image/);
  });

  it('of an artifact to the tag of an image removes the release, and of an image to the tag deploys it', async () => {
    const web = await pushedApp(daemon);
    const releases = async () => (await daemon.client.listReleases({ params: paramsOf(web) })).map(({ tag }) => tag);
    const notify = async () => {
      await notifyPush(daemon, { repository: web.reference, tag: 'latest' });
      await daemon.daemon.settled();
    };
    registry.push(web.reference, 'latest', 'one');
    await notify();
    registry.pushArtifact(web.reference, 'latest');
    await notify();
    await notify();
    assert.deepEqual(await releases(), []);
    registry.push(web.reference, 'latest', 'two');
    await notify();

    assert.deepEqual(await releases(), ['latest']);
    assert.deepEqual(await triggers(daemon, web), ['latest push succeeded', 'latest push succeeded']);
  });

  it('with outdated notifications deploys only the current image of the tag', async () => {
    const web = await pushedApp(daemon);
    const old = registry.push(web.reference, 'v1', 'old');
    const now = registry.push(web.reference, 'v1', 'now');

    await notifyPush(
      daemon,
      { repository: web.reference, tag: 'v1', digest: now },
      { repository: web.reference, tag: 'v1', digest: old },
    );
    await daemon.daemon.settled();

    assert.deepEqual(
      (await deployments(daemon, web)).map(({ digest }) => digest),
      [now],
    );
  });

  it('that replaces an earlier push is attributed to its own user', async () => {
    const web = await pushedApp(daemon);
    const old = registry.push(web.reference, 'v1', 'overtaken');
    const now = registry.push(web.reference, 'v1', 'overtaking');

    await notifyPush(daemon, { repository: web.reference, tag: 'v1', digest: old, by: 'ada' });
    await notifyPush(daemon, { repository: web.reference, tag: 'v1', digest: now, by: 'bob' });
    await daemon.daemon.settled();

    const made = await deployments(daemon, web);
    assert.deepEqual(
      made.map(({ digest, trigger }) => [digest, trigger.by]),
      [[now, 'bob']],
    );
  });

  it('to a pinned app is recorded but not deployed', async () => {
    const web = await pushedApp(daemon, { tag: 'v1' });
    registry.push(web.reference, 'v2');

    await notifyPush(daemon, { repository: web.reference, tag: 'v2' });

    assert.deepEqual(await triggers(daemon, web), []);
    const row = await rowOf(web, 'v2');
    assert.deepEqual(
      [row?.outcome, row?.reason],
      ['recorded', 'The app is pinned to the tag v1, so this push is not deployed.'],
    );
  });

  it('is deployed again after a failure, but a repeated notification is ignored', async () => {
    const web = await pushedApp(daemon);
    registry.push(web.reference, 'v1');
    daemon.engine.controls.fail('createGroup', { times: 10 });
    const first = { repository: web.reference, tag: 'v1', at: new Date().toISOString() };
    await notifyPush(daemon, first);
    assert.deepEqual(await triggers(daemon, web), ['v1 push failed']);
    daemon.engine.controls.clearFailures();

    await notifyPush(daemon, first);
    assert.deepEqual(await triggers(daemon, web), ['v1 push failed']);
    await notifyPush(daemon, { ...first, at: new Date(Date.now() + 1_000).toISOString() });

    assert.deepEqual(await triggers(daemon, web), ['v1 push succeeded', 'v1 push failed']);
  });

  it('starts an app that was stopped', async () => {
    const web = await pushedApp(daemon);
    registry.push(web.reference, 'v1');
    await notifyPush(daemon, { repository: web.reference, tag: 'v1' });
    await daemon.daemon.settled();
    await daemon.call('POST', `/api/apps/${web.reference}/stop`);
    registry.push(web.reference, 'v2');

    await notifyPush(daemon, { repository: web.reference, tag: 'v2' });
    await daemon.daemon.settled();

    assert.equal((await daemon.client.getApp({ params: paramsOf(web) })).status, 'running');
  });

  it('to a deleted, unknown or image-based app changes nothing', async () => {
    const image = await app(daemon);
    const gone = await pushedApp(daemon);
    await daemon.call('DELETE', `/api/apps/${gone.reference}`);
    for (const repository of [image.reference, gone.reference, 'a/b/c', 'a', '../../etc', `${gone.reference}/x`]) {
      registry.push(repository, 'v1');
      assert.equal((await notifyPush(daemon, { repository, tag: 'v1' })).status, 200);
    }
    assert.deepEqual(await triggers(daemon, image), []);
  });

  it('without a tag or with a missing tag causes no deployment', async () => {
    const web = await pushedApp(daemon);
    await notifyPush(daemon, { repository: web.reference, tag: 'v9' }, { repository: web.reference });
    await notifyPush(daemon, { repository: web.reference, tag: 'v1', action: 'pull' });
    assert.deepEqual(await triggers(daemon, web), []);
  });

  it('to an app cannot be deployed as the image of another app', async () => {
    const theirs = await pushedApp(daemon);
    registry.push(theirs.reference, 'v1');
    const web = await app(daemon, { image: `localhost:5000/${theirs.reference}` });

    const { status, text } = await daemon.call('POST', `/api/apps/${web.reference}/deploy`, { tag: 'v1' });

    assert.equal(status, 409);
    assert.match(text, /belongs to another app of this instance/);
  });
});

describe('a deployment without a push', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('is refused, and the error names the image and the push command', async () => {
    const web = await pushedApp(daemon);

    const { status, text } = await daemon.call('POST', `/api/apps/${web.reference}/deploy`, { tag: 'v1' });

    assert.equal(status, 404);
    assert.match(
      text,
      new RegExp(`no image localhost:5000/${web.reference}:v1.*docker push localhost:5000/${web.reference}:v1`),
    );
  });

  it('of an artifact is refused with a reason', async () => {
    const web = await pushedApp(daemon);
    daemon.registry.pushArtifact(web.reference, 'chart');

    const { status, text } = await daemon.call('POST', `/api/apps/${web.reference}/deploy`, { tag: 'chart' });

    assert.equal(status, 409);
    assert.match(text, /^The tag chart does not contain a container image\./);
  });

  it('is refused with 503 while the registry is unavailable', async () => {
    const web = await pushedApp(daemon);
    daemon.registry.setUnavailable('The registry cannot be started: try again.');
    const { status } = await daemon.call('POST', `/api/apps/${web.reference}/deploy`, { tag: 'v1' });
    daemon.registry.setUnavailable(null);

    assert.equal(status, 503);
  });
});

describe('a manual deployment of a pushed app', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('uses the tag and digest of a deployment that completed in the meantime', async () => {
    const web = await pushedApp(daemon);
    daemon.registry.push(web.reference, 'v1', 'one');
    const digest = daemon.registry.push(web.reference, 'v2', 'two');
    const path = `/api/apps/${web.reference}/deploy?wait=true`;
    await daemon.call('POST', path, { tag: 'v1' });
    const gate = daemon.engine.controls.pause('info');
    const pending = daemon.call('POST', path, {});
    await gate.reached;
    await daemon.call('POST', path, { tag: 'v2' });
    gate.open();

    const { status, text } = await pending;

    assert.equal(status, 200, text);
    const [deployment] = await deployments(daemon, web);
    assert.deepEqual([deployment?.tag, deployment?.digest], ['v2', digest]);
  });
});

describe('a push that is found by polling', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { registry } = daemon;
  const { pushes } = daemon.core;

  it('without a notification is deployed once, with Davit as the author', async () => {
    const web = await pushedApp(daemon);
    const digest = registry.push(web.reference, 'v1');

    await pushes.look();

    assert.deepEqual(await triggers(daemon, web), ['v1 push succeeded']);
    const [deployment] = await deployments(daemon, web);
    assert.deepEqual([deployment?.trigger.by, deployment?.digest], ['davit', digest]);
    await pushes.look();
    await notifyPush(daemon, { repository: web.reference, tag: 'v1' });
    assert.equal((await triggers(daemon, web)).length, 1);
  });

  it('after a premature notification is attributed to the user of the notification', async () => {
    const web = await pushedApp(daemon);
    const digest = registry.push('shop/production/elsewhere', 'v1', 'soon');
    await notifyPush(daemon, { repository: web.reference, tag: 'v1', digest, by: 'ada' });
    await daemon.daemon.settled();
    assert.deepEqual(await deployments(daemon, web), []);

    registry.push(web.reference, 'v1', 'soon');
    await pushes.look();

    assert.deepEqual(await triggers(daemon, web), ['v1 push succeeded']);
    const [deployment] = await deployments(daemon, web);
    assert.deepEqual([deployment?.trigger.by, deployment?.digest], ['ada', digest]);
  });

  it('of several tags deploys only the newest tag', async () => {
    const web = await pushedApp(daemon);
    for (const tag of ['v3', 'v1', 'v2']) registry.push(web.reference, tag);

    await pushes.look();
    await pushes.look();

    assert.deepEqual(await triggers(daemon, web), ['v2 push succeeded']);
  });

  it('of an image and later artifacts deploys the image', async () => {
    const web = await pushedApp(daemon);
    const digest = registry.push(web.reference, 'v1');
    registry.pushArtifact(web.reference, 'chart');
    registry.push(web.reference, `${digest.replace(':', '-')}.sig`);

    await pushes.look();
    await pushes.look();

    assert.deepEqual(await triggers(daemon, web), ['v1 push succeeded']);
  });

  it('is deployed when an existing tag moves to another image', async () => {
    const web = await pushedApp(daemon);
    registry.push(web.reference, 'v1', 'one');
    await pushes.look();
    registry.push(web.reference, 'v1', 'two');

    await pushes.look();

    assert.equal((await triggers(daemon, web)).length, 2);
  });

  it('is ignored if the image existed before the app was created', async () => {
    const first = await pushedApp(daemon);
    registry.push(first.reference, 'v1');
    await daemon.call('DELETE', `/api/apps/${first.reference}`);
    await daemon.daemon.settled();
    const again = await pushedApp(daemon, { project: first.project, name: first.name });

    await pushes.look();

    assert.deepEqual(await triggers(daemon, again), []);
  });

  it('is deployed after the registry becomes available again', async () => {
    const web = await pushedApp(daemon);
    registry.push(web.reference, 'v1');
    registry.setUnavailable('The registry does not answer: try again.');
    await notifyPush(daemon, { repository: web.reference, tag: 'v1' });
    await pushes.look();
    assert.deepEqual(await triggers(daemon, web), []);

    registry.setUnavailable(null);
    await pushes.look();

    assert.deepEqual(await triggers(daemon, web), ['v1 push succeeded']);
  });
});

describe('a push without enough disk space', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('waits with a warning and is deployed once space is available', async () => {
    const { core, registry } = daemon;
    const guard = core.diskGuard;
    core.diskGuard = () => 'The disk is full: free some room.';
    const web = await pushedApp(daemon);
    for (const tag of ['v1', 'v2']) {
      registry.push(web.reference, tag);
      await notifyPush(daemon, { repository: web.reference, tag });
    }
    assert.deepEqual(await triggers(daemon, web), []);
    const { warnings } = JSON.parse((await daemon.call('GET', '/api/instance')).text);
    assert.ok(
      warnings.some((text: string) =>
        text.startsWith(`The push of ${web.reference}:v1 is not deployed yet. The disk is full`),
      ),
      warnings.join('\n'),
    );

    core.diskGuard = guard;
    await core.pushes.look();

    assert.deepEqual(await triggers(daemon, web), ['v2 push succeeded']);
    const after = JSON.parse((await daemon.call('GET', '/api/instance')).text).warnings as string[];
    assert.ok(!after.some((text) => text.startsWith('The push of')));
  });
});

describe('POST /hooks/registry', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const web = await pushedApp(daemon);

  it('accepts notifications only with the secret of the registry', async () => {
    daemon.registry.push(web.reference, 'v1');
    const secret = daemon.core.registryKeys.hookSecret();
    const body = JSON.stringify({ events: [{ action: 'push', target: { repository: web.reference, tag: 'v1' } }] });
    const notify = (path: string, headers: Record<string, string>) =>
      daemon.send({ method: 'POST', path, headers, body });
    for (const answer of [
      await notify('/hooks/registry', {}),
      await notify('/hooks/registry', { authorization: 'Bearer' }),
      await notify('/hooks/registry', { authorization: `Bearer ${secret}x` }),
      await notify('/hooks/registry', { authorization: `Bearer ${secret.slice(1)}` }),
      await notify('/hooks/registry', { authorization: `Bearer ${daemon.key}` }),
      await notify('/hooks/registry', { authorization: secret }),
      await notify('/hooks/registry', { authorization: `Bearer ${secret}`, 'x-forwarded-for': '192.0.2.1' }),
      await notify(`/hooks/registry?token=${secret}`, {}),
      await notify(`/hooks/registry?access_token=${secret}`, { authorization: 'Bearer x' }),
    ]) {
      assert.equal(answer.status, 401);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
    }
    assert.deepEqual(await triggers(daemon, web), []);
    assert.equal((await daemon.send({ path: '/hooks/registry' })).status, 405);
  });

  it('accepts malformed notifications without starting a deployment', async () => {
    const odd = [
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '{"events":null}',
      '{"events":{}}',
      '{"events":[null,1,"x",[],{}]}',
      '{"events":[{"action":"push","target":null,"actor":null}]}',
      '{"events":[{"action":"push","target":{"repository":1,"tag":{}}}]}',
      `{"events":[{"action":"push","timestamp":"yesterday","target":{"repository":"${web.reference}","tag":"../x"}}]}`,
      '\0\xff',
      '['.repeat(100_000),
    ];
    for (const body of [...odd.map((text) => Buffer.from(text)), Buffer.alloc(5 * 1024 * 1024, 'x')]) {
      assert.equal((await sendNotification(daemon, body)).status, 200, body.subarray(0, 60).toString());
    }
    assert.deepEqual(await triggers(daemon, web), []);
  });

  it('limits the requests to the registry for many outdated notifications', async (t) => {
    const web = await pushedApp(daemon);
    const tags = Array.from({ length: 100 }, (_, number) => `moved-${number}`);
    for (const tag of tags) daemon.registry.push(web.reference, tag, 'the same');
    const lookup = t.mock.method(daemon.registry, 'digestOf');

    await notifyPush(daemon, ...tags.map((tag) => ({ repository: web.reference, tag, digest: 'sha256:another' })));
    await daemon.daemon.settled();

    // The daemon requests each tag once, except tags of the first moment, and once more for its deployment.
    const lookups = lookup.mock.calls.filter(({ arguments: [, tag] }) => tags.includes(tag)).length;
    assert.ok(lookups >= tags.length && lookups < 3 * tags.length, `${lookups} questions for ${tags.length} tags`);
  });

  it('handles a thousand events in a single request', async () => {
    for (let i = 1; i <= 5; i += 1) daemon.registry.push(web.reference, `many-${i}`);
    const events = Array.from({ length: 1_000 }, (_, i) => ({
      repository: web.reference,
      tag: `many-${(i % 5) + 1}`,
    }));

    assert.equal((await notifyPush(daemon, ...events)).status, 200);

    const triggered = (await triggers(daemon, web)).filter((line) => line.startsWith('many-'));
    assert.equal(triggered.length, 5);
    assert.ok(triggered.every((line) => line.includes(' push ')));
  });
});
