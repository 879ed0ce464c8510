/** Tests pushes that end after their user has lost the rights. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { App } from '@davit/api';
import { app, bootDaemon, keyFor, paramsOf, type TestDaemon, type TestUser, user } from '@davit/testkit';
import { apiKeysOfUser } from '../../src/db/tables/api-key.ts';
import {
  addAccount,
  basic,
  letPush,
  notifyPush,
  pushEvent,
  requestToken,
  sendNotification,
} from '../support/registry-setup.ts';

/**
 * Completes a push with the notification of the registry.
 * @param by subject of its token, or null to send no notification
 */
async function endPush(daemon: TestDaemon, { reference }: App, by: string | null): Promise<void> {
  const digest = daemon.registry.push(reference, 'v1');
  if (by !== null) {
    const event = pushEvent({ repository: reference, tag: 'v1', by, digest });
    await sendNotification(daemon, JSON.stringify({ events: [event] }));
  }
  await daemon.daemon.settled();
  if (by === null) await daemon.core.pushes.look();
}

async function statuses(daemon: TestDaemon, web: App): Promise<string[]> {
  return (await daemon.client.listDeployments({ params: paramsOf(web) })).map(({ status }) => status);
}

describe('a push that ends after its user lost the rights', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  for (const [what, rights] of [
    ['a blocked user', { blocked: true }],
    ['a user who is now a viewer', { role: 'viewer' }],
    ['a user without access to the project', { projects: [] }],
  ] as const) {
    it(`of ${what} is not deployed automatically and cannot be deployed manually`, async () => {
      const web = await app(daemon, { source: 'registry', image: null });
      const member = user(daemon, 'member', [web.project]);
      const { status, text } = await daemon.call('PATCH', `/api/users/${member.username}`, rights);
      assert.equal(status, 200, text);
      const digest = daemon.registry.push(web.reference, 'v1');

      await notifyPush(daemon, { repository: web.reference, tag: 'v1', by: member.username, digest });
      await daemon.daemon.settled();

      assert.deepEqual(await daemon.client.listDeployments({ params: paramsOf(web) }), []);
      const byHand = await daemon.call('POST', `/api/apps/${web.reference}/deploy`, { tag: 'v1' });
      assert.equal(byHand.status, 409, byHand.text);
      assert.match(byHand.text, /cannot be deployed.*no longer has the permission to push/);

      // This is the same image, pushed by a user with the required rights.
      await notifyPush(daemon, { repository: web.reference, tag: 'v1', by: 'ada', digest });
      await daemon.daemon.settled();
      const [{ status: ended } = { status: 'none' }] = await daemon.client.listDeployments({ params: paramsOf(web) });
      assert.equal(ended, 'succeeded');
    });
  }

  it('stays deployable if its notification is repeated after the user was blocked', async () => {
    const web = await app(daemon, { source: 'registry', image: null });
    const member = user(daemon, 'member', [web.project]);
    const digest = daemon.registry.push(web.reference, 'v1');
    const event = { repository: web.reference, tag: 'v1', by: member.username, digest, at: new Date(0).toISOString() };
    await notifyPush(daemon, event);
    await daemon.daemon.settled();
    assert.equal((await daemon.call('PATCH', `/api/users/${member.username}`, { blocked: true })).status, 200);

    await notifyPush(daemon, event);
    await daemon.daemon.settled();

    const { status, text } = await daemon.call('POST', `/api/apps/${web.reference}/deploy?wait=true`, { tag: 'v1' });
    assert.equal(status, 200, text);
  });

  it('is not deployed after the app’s source changes to its own repository as image', async () => {
    const web = await app(daemon, { source: 'registry', image: null });
    const member = user(daemon, 'member', [web.project]);
    assert.equal((await daemon.call('PATCH', `/api/users/${member.username}`, { blocked: true })).status, 200);
    const digest = daemon.registry.push(web.reference, 'v1');
    await notifyPush(daemon, { repository: web.reference, tag: 'v1', by: member.username, digest });
    await daemon.daemon.settled();
    const image = `localhost:${daemon.core.facts.ports.registry}/${web.reference}`;
    const changed = await daemon.call('PATCH', `/api/apps/${web.reference}`, { source: 'image', image });
    assert.equal(changed.status, 200, changed.text);

    const refused = await daemon.call('POST', `/api/apps/${web.reference}/deploy?wait=true`, { tag: 'v1' });

    assert.equal(refused.status, 409, refused.text);
    assert.match(refused.text, /cannot be deployed.*no longer has the permission to push/);

    // This is another image, pushed by a user with the required rights.
    const source = await daemon.call('PATCH', `/api/apps/${web.reference}`, {
      source: 'registry',
      image: null,
      tag: 'none',
    });
    assert.equal(source.status, 200, source.text);
    const other = daemon.registry.push(web.reference, 'v2', 'another');
    await notifyPush(daemon, { repository: web.reference, tag: 'v2', by: 'ada', digest: other });
    await daemon.daemon.settled();
    await daemon.call('PATCH', `/api/apps/${web.reference}`, { source: 'image', image, tag: null });

    const allowed = await daemon.call('POST', `/api/apps/${web.reference}/deploy?wait=true`, { tag: 'v2' });

    const { status, digest: deployed } = JSON.parse(allowed.text);
    assert.deepEqual([allowed.status, status, deployed], [200, 'succeeded', other], allowed.text);
  });

  it('to a pinned app cannot be deployed manually', async () => {
    const web = await app(daemon, { source: 'registry', image: null, tag: 'v1' });
    const member = user(daemon, 'member', [web.project]);
    assert.equal((await daemon.call('PATCH', `/api/users/${member.username}`, { blocked: true })).status, 200);
    const digest = daemon.registry.push(web.reference, 'v1');

    await notifyPush(daemon, { repository: web.reference, tag: 'v1', by: member.username, digest });
    await daemon.daemon.settled();

    const { status, text } = await daemon.call('POST', `/api/apps/${web.reference}/deploy`, {});
    assert.equal(status, 409, text);
  });

  it('of a deleted user is not deployed, even if a new user has the name', async () => {
    const web = await app(daemon, { source: 'registry', image: null });
    const member = user(daemon, 'member', [web.project]);
    const by = letPush(daemon, member.username, web.reference);
    const { status, text } = await daemon.call('DELETE', `/api/users/${member.username}`);
    assert.equal(status, 204, text);
    addAccount(daemon, member.username);

    await endPush(daemon, web, by);

    assert.deepEqual(await statuses(daemon, web), []);
  });
});

/** User who pushes with an API key or a password. */
interface Pusher extends TestUser {
  /** Number of the key. */
  keyId: number;
  password: string;
}

const PASSWORD = 'a long password of a member';
const OTHER = 'another password of a member';

/** Actions that invalidate a credential. */
const ENDINGS: Record<
  string,
  { pushesWith: 'key' | 'password'; end: (daemon: TestDaemon, pusher: Pusher) => unknown }
> = {
  'a key that its owner revoked': {
    pushesWith: 'key',
    end: (daemon, { keyId, key }) => daemon.call('DELETE', `/api/users/me/api-keys/${keyId}`, undefined, key),
  },
  'a key that an admin revoked': {
    pushesWith: 'key',
    end: (daemon, { username, keyId }) => daemon.call('DELETE', `/api/users/${username}/api-keys/${keyId}`),
  },
  'a key whose secret was replaced': {
    pushesWith: 'key',
    end: (daemon, { keyId, key }) => daemon.call('POST', `/api/users/me/api-keys/${keyId}/rotate`, undefined, key),
  },
  'a password that an admin replaced': {
    pushesWith: 'password',
    end: (daemon, { username }) => daemon.call('PATCH', `/api/users/${username}`, { password: OTHER }),
  },
  'a password that its owner changed': {
    pushesWith: 'password',
    end: (daemon, { password, key }) =>
      daemon.call('PUT', '/api/users/me/password', { current_password: password, new_password: OTHER }, key),
  },
};

describe('a push with credentials that ended before the push', () => {
  let daemon: TestDaemon;
  let passedMs = 0;
  before(async () => {
    daemon = await bootDaemon({ now: () => Date.now() + passedMs });
  });
  afterEach(() => {
    passedMs = 0;
  });
  after(() => daemon[Symbol.asyncDispose]());

  async function pusher(web: App): Promise<Pusher> {
    const member = user(daemon, 'member', [web.project]);
    const patched = await daemon.call('PATCH', `/api/users/${member.username}`, { password: PASSWORD });
    assert.equal(patched.status, 200, patched.text);
    const [{ id: keyId } = { id: 0 }] = apiKeysOfUser(daemon.core.store, member.id);
    return { ...member, keyId, password: PASSWORD };
  }

  async function subjectOf(web: App, { username }: TestUser, secret: string): Promise<string> {
    const answer = await requestToken(daemon, `?scope=repository:${web.reference}:pull,push`, basic(username, secret));
    assert.equal(answer.status, 200, answer.text);
    const [, claims = ''] = (JSON.parse(answer.text) as { token: string }).token.split('.');
    return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub;
  }

  for (const [what, { pushesWith, end }] of Object.entries(ENDINGS)) {
    for (const isNotified of [true, false]) {
      it(`with ${what} is not deployed, ${isNotified ? 'with a notification' : 'without a notification'}`, async () => {
        const web = await app(daemon, { source: 'registry', image: null });
        const member = await pusher(web);
        const by = await subjectOf(web, member, member[pushesWith]);
        const { status, text } = (await end(daemon, member)) as { status: number; text: string };
        assert.ok(status < 300, text);

        await endPush(daemon, web, isNotified ? by : null);

        assert.deepEqual(await statuses(daemon, web), []);
        const byHand = await daemon.call('POST', `/api/apps/${web.reference}/deploy`, { tag: 'v1' });
        assert.equal(byHand.status, 409, byHand.text);
      });
    }
  }

  it('with an expired key is not deployed', async () => {
    const web = await app(daemon, { source: 'registry', image: null });
    const member = user(daemon, 'member', [web.project]);
    const key = keyFor(daemon, { id: member.id, role: 'member' }, { expiresAt: daemon.core.now() + 60_000 });
    const by = await subjectOf(web, member, key);
    passedMs += 120_000;
    const digest = daemon.registry.push(web.reference, 'v1');
    const at = new Date(daemon.core.now()).toISOString();
    const event = pushEvent({ repository: web.reference, tag: 'v1', by, digest, at });

    await sendNotification(daemon, JSON.stringify({ events: [event] }));
    await daemon.daemon.settled();

    assert.deepEqual(await statuses(daemon, web), []);
  });

  it('is deployed if the credentials ended later or if other valid credentials were used', async () => {
    const web = await app(daemon, { source: 'registry', image: null });
    const member = await pusher(web);
    const by = await subjectOf(web, member, member.key);
    const digest = daemon.registry.push(web.reference, 'v1');
    const event = pushEvent({ repository: web.reference, tag: 'v1', by, digest, at: new Date().toISOString() });
    passedMs += 1_000;
    const { status } = await daemon.call('DELETE', `/api/users/${member.username}/api-keys/${member.keyId}`);
    assert.equal(status, 204);

    await sendNotification(daemon, JSON.stringify({ events: [event] }));
    await daemon.daemon.settled();
    assert.deepEqual(await statuses(daemon, web), ['succeeded']);

    const withPassword = await subjectOf(web, member, member.password);
    daemon.registry.push(web.reference, 'v1', 'another');
    await sendNotification(
      daemon,
      JSON.stringify({ events: [pushEvent({ repository: web.reference, tag: 'v1', by: withPassword })] }),
    );
    await daemon.daemon.settled();
    assert.deepEqual(await statuses(daemon, web), ['succeeded', 'succeeded']);
  });

  it('without a notification is deployed when a later notification names its user', async () => {
    const web = await app(daemon, { source: 'registry', image: null });
    const gone = await pusher(web);
    await subjectOf(web, gone, gone.key);
    assert.equal((await daemon.call('DELETE', `/api/users/${gone.username}`)).status, 204);
    const by = letPush(daemon, (await pusher(web)).username, web.reference);
    const digest = daemon.registry.push(web.reference, 'v1');
    await daemon.core.pushes.look();
    assert.deepEqual(await statuses(daemon, web), []);

    await sendNotification(
      daemon,
      JSON.stringify({ events: [pushEvent({ repository: web.reference, tag: 'v1', by, digest })] }),
    );
    await daemon.daemon.settled();

    assert.deepEqual(await statuses(daemon, web), ['succeeded']);
  });

  it('cannot be deployed manually while its user is unknown', async () => {
    const web = await app(daemon, { source: 'registry', image: null });
    const member = await pusher(web);
    await subjectOf(web, member, member.key);
    assert.equal((await daemon.call('PATCH', `/api/users/${member.username}`, { blocked: true })).status, 200);
    daemon.registry.push(web.reference, 'v1');

    const { status, text } = await daemon.call('POST', `/api/apps/${web.reference}/deploy`, { tag: 'v1' });

    assert.equal(status, 409, text);
    assert.match(text, /This push may come from /);
  });

  it('with a grant older than a week is not deployed', async () => {
    const web = await app(daemon, { source: 'registry', image: null });
    const member = await pusher(web);
    const by = await subjectOf(web, member, member.key);
    passedMs += 8 * 24 * 60 * 60_000;
    // A new grant deletes older grants.
    letPush(daemon, (await pusher(web)).username, web.reference);

    await endPush(daemon, web, by);

    assert.deepEqual(await statuses(daemon, web), []);
  });
});
