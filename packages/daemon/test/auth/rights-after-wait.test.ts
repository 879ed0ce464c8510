/** A request that waited is answered according to the rights at the time of its response. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, describe, it } from 'node:test';
import { ADMIN, app, bootDaemon, cookieOf, deployedApp, paramsOf, project, signIn, user } from '@davit/testkit';
import { patience, until } from '@davit/testkit/waiting';
import { arrivalOf } from '../support/held-body.ts';

const daemon = await bootDaemon();
after(() => daemon[Symbol.asyncDispose]());

describe('request that waits for a deployment', () => {
  for (const [what, change, code] of [
    ['whose user was blocked', { blocked: true }, 401],
    ['whose user lost the role', { role: 'viewer' }, 403],
    ['whose user lost the project', { projects: [] }, 403],
  ] as const) {
    it(`${what} is refused with a message about lost access`, async () => {
      const { project, reference } = await app(daemon);
      const member = user(daemon, 'member', [project]);
      const gate = daemon.engine.controls.pause('probe');
      const path = `/api/apps/${reference}`;
      const deploying = daemon.call('POST', `${path}/deploy?wait=true`, { tag: 'v1' }, member.key);
      await gate.reached;
      const [deployment] = JSON.parse((await daemon.call('GET', `${path}/deployments`)).text);
      const reading = daemon.call('GET', `${path}/deployments/${deployment.id}?wait=true`, undefined, member.key);
      const isOver = await daemon.call('PATCH', `/api/users/${member.username}`, change);
      assert.equal(isOver.status, 200, isOver.text);
      gate.open();

      for (const answer of [await deploying, await reading]) {
        assert.equal(answer.status, code, answer.text);
        assert.match(answer.text, /You lost access/);
      }
      assert.equal(JSON.parse((await daemon.call('GET', path)).text).live_tag, 'v1');
    });
  }
});

describe('request whose user gets more rights during the request', () => {
  for (const [what, grown] of [
    ['another role', { role: 'admin' }],
    ['access to all projects', { projects: null }],
  ] as const) {
    it(`is completed and answered if the user gets ${what}`, async () => {
      const { project, reference } = await app(daemon);
      const { username } = user(daemon, 'member', [project]);
      const password = 'a long password of a member';
      await change(username, { password });
      const cookie = cookieOf(await signIn(daemon, { username, password }));
      const gates = [daemon.engine.controls.pause('info'), daemon.engine.controls.pause('probe')] as const;
      const headers = { cookie, origin: daemon.url, 'content-type': 'application/json' };
      const path = `/api/apps/${reference}/deploy?wait=true`;
      const pending = daemon.send({ method: 'POST', path, headers, body: '{"tag":"v1"}' });
      await gates[0].reached;
      await change(username, grown);
      gates[0].open();
      await gates[1].reached;
      gates[1].open();

      const { status, text } = await pending;

      assert.equal(status, 200, text);
    });
  }
});

const KEYS = '/api/users/me/api-keys';

async function change(username: string, rights: object): Promise<void> {
  const { status, text } = await daemon.call('PATCH', `/api/users/${username}`, rights);
  assert.equal(status, 200, text);
}

/** Creates an app with the same name in two environments of a project, deployed in staging. */
async function staged(inProject: string, name: string): Promise<void> {
  await deployedApp(daemon, { project: inProject, environment: 'staging', name });
  await app(daemon, { project: inProject, name });
}

describe('request that waits before its first change', () => {
  it('promotes no image of a project that the user can no longer access', async () => {
    const { app: secret } = await deployedApp(daemon);
    const own = await app(daemon);
    const member = user(daemon, 'member', [own.project, secret.project]);
    const path = `/api/apps/${own.reference}`;
    const gate = daemon.engine.controls.pause('info');
    const pending = daemon.call('POST', `${path}/deploy`, { from: secret.reference }, member.key);
    await gate.reached;
    await change(member.username, { projects: [own.project] });
    gate.open();

    const { status, text } = await pending;

    assert.equal(status, 403);
    assert.match(text, /Your permissions changed/);
    assert.deepEqual(JSON.parse((await daemon.call('GET', `${path}/deployments`)).text), []);
    const { events } = await daemon.client.listAudit({ query: { user: member.username } });
    assert.deepEqual(
      events.map(({ operation, outcome }) => [operation, outcome]),
      [['deployApp', 'refused']],
    );
  });

  it('promotes no further app of an environment after a demotion', async () => {
    const inProject = await project(daemon);
    await daemon.client.createEnvironment({ params: { project: inProject }, body: { slug: 'staging' } });
    for (const name of ['a', 'b', 'c']) await staged(inProject, name);
    const member = user(daemon, 'member', [inProject]);
    const path = `/api/projects/${inProject}/environments/production/promote`;
    const gates = [daemon.engine.controls.pause('info'), daemon.engine.controls.pause('info')] as const;
    const pending = daemon.call('POST', path, { from: 'staging' }, member.key);
    await gates[0].reached;
    gates[0].open();
    await gates[1].reached;
    await change(member.username, { role: 'viewer' });
    gates[1].open();

    assert.equal((await pending).status, 403);

    await daemon.settled();
    const deployments = async (name: string) =>
      (await daemon.client.listDeployments({ params: paramsOf(`${inProject}/production/${name}`) })).length;
    assert.deepEqual([await deployments('a'), await deployments('b'), await deployments('c')], [1, 0, 0]);
  });

  it('removes no volume after the admin is blocked', async () => {
    const { engine, core } = daemon;
    const admin = user(daemon, 'admin');
    const name = `davit-${core.facts.id}-v900`;
    await engine.ensureVolume(name, 'shop/production/web', 'app');
    const gate = engine.controls.pause('volumes');
    const pending = daemon.call('DELETE', `/api/unrecorded?name=${name}&confirm=${name}`, undefined, admin.key);
    await gate.reached;
    await change(admin.username, { blocked: true });
    gate.open();

    assert.equal((await pending).status, 401);

    assert.ok((await engine.volumes()).some((volume) => volume.name === name));
    assert.equal((await daemon.call('DELETE', `/api/unrecorded?name=${name}&confirm=${name}`)).status, 204);
  });

  it('opens no shell after the member loses the project', async () => {
    const { app: made } = await deployedApp(daemon);
    const member = user(daemon, 'member', [made.project]);
    const gate = daemon.engine.controls.pause('openTerminal');
    const headers = {
      ...{ authorization: `Bearer ${member.key}`, connection: 'Upgrade', upgrade: 'websocket' },
      ...{ 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-version': '13' },
    };
    const path = `/api/apps/${made.reference}/shell`;
    // A shell that was opened has no HTTP response.
    const pending = daemon.send({ path, headers, signal: patience() });
    await gate.reached;
    await change(member.username, { projects: [] });
    gate.open();

    assert.equal((await pending).status, 404);

    const [container] = daemon.engine.controls.containers().filter(({ app }) => app === made.reference);
    await until('the program ends', async () => daemon.engine.controls.programsIn(container?.id ?? '').length === 0);
  });

  it('returns no images after the admin is blocked', async () => {
    const admin = user(daemon, 'admin');
    const gate = daemon.engine.controls.pause('inspectHeld');
    const pending = daemon.call('GET', '/api/images', undefined, admin.key);
    await gate.reached;
    await change(admin.username, { blocked: true });
    gate.open();

    assert.equal((await pending).status, 401);
  });

  it('continues for a session without TLS after the client disconnects', async () => {
    const { reference } = await app(daemon);
    const path = `/api/apps/${reference}`;
    const cookie = cookieOf(await signIn(daemon));
    const gate = daemon.engine.controls.pause('info');
    const id = randomUUID();
    const headers = { cookie, origin: daemon.url, 'idempotency-key': id, 'x-request-id': id };
    const arrived = arrivalOf(id);
    const outgoing = request(new URL(`${path}/deploy`, daemon.url), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    });
    outgoing.on('error', () => undefined).end('{"tag":"v1"}');
    await gate.reached;
    const { socket } = await arrived;
    outgoing.destroy();
    if (!socket.closed) await once(socket, 'close');
    gate.open();

    const deployments = async () => JSON.parse((await daemon.call('GET', `${path}/deployments`)).text) as unknown[];
    await until('the deployment is on record', async () => (await deployments()).length === 1);
    await daemon.settled();
  });
});

describe('request that ends its own rights', () => {
  const asOwn = async (method: string, path: string, key: string, body?: object) =>
    assert.equal((await daemon.call(method, path, body, key)).status, method === 'PATCH' ? 200 : 204);

  it('revokes its own API key successfully', async () => {
    const { key } = user(daemon, 'member');
    const [own] = JSON.parse((await daemon.call('GET', KEYS, undefined, key)).text);
    await asOwn('DELETE', `${KEYS}/${own.id}`, key);
    assert.equal((await daemon.call('GET', KEYS, undefined, key)).status, 401);
  });

  it('blocks and deletes its own user', async () => {
    const [blocked, deleted] = [user(daemon, 'admin'), user(daemon, 'admin')];
    await asOwn('PATCH', `/api/users/${blocked.username}`, blocked.key, { blocked: true });
    await asOwn('DELETE', `/api/users/${deleted.username}`, deleted.key);
  });

  it('changes its own password and signs out', async () => {
    const headers = { cookie: cookieOf(await signIn(daemon)), origin: daemon.url, 'content-type': 'application/json' };
    const body = JSON.stringify({ current_password: ADMIN.password, new_password: ADMIN.password });
    const changed = await daemon.send({ method: 'PUT', path: '/api/users/me/password', headers, body });
    assert.equal(changed.status, 204, changed.text);
    const renewed = { ...headers, cookie: cookieOf(changed) };
    assert.equal((await daemon.send({ method: 'POST', path: '/api/auth/logout', headers: renewed })).status, 204);
  });
});
