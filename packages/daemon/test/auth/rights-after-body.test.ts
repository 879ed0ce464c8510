/**
 * The client decides when the body of a request arrives. The request must be checked with the client's rights at that
 * time.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { app, bootDaemon, deployedApp, user } from '@davit/testkit';
import { callTool, headersFor, message } from '../support/agent.ts';
import { holdBody } from '../support/held-body.ts';

const daemon = await bootDaemon();
after(() => daemon[Symbol.asyncDispose]());

const KEYS = '/api/users/me/api-keys';

const hold = (method: string, path: string, body: object, key: string) =>
  holdBody(daemon, { method, path, headers: { authorization: `Bearer ${key}` }, body: JSON.stringify(body) });

async function change(username: string, rights: object): Promise<void> {
  const { status, text } = await daemon.call('PATCH', `/api/users/${username}`, rights);
  assert.equal(status, 200, text);
}

describe('request whose body arrives after a change of rights', () => {
  it('promotes no image of a project that the user can no longer access', async () => {
    const { app: secret } = await deployedApp(daemon);
    const own = await app(daemon);
    const member = user(daemon, 'member', [own.project, secret.project]);
    const path = `/api/apps/${own.reference}`;
    const finish = await hold('POST', `${path}/deploy?wait=true`, { from: secret.reference }, member.key);
    await change(member.username, { projects: [own.project] });

    assert.equal((await finish()).status, 404);

    assert.deepEqual(JSON.parse((await daemon.call('GET', `${path}/deployments`)).text), []);
  });

  it('creates no admin after a demotion', async () => {
    const admin = user(daemon, 'admin');
    const body = { username: 'intruder', password: 'correct horse battery', role: 'admin' };
    const finish = await hold('POST', '/api/users', body, admin.key);
    await change(admin.username, { role: 'viewer' });

    assert.equal((await finish()).status, 403);

    assert.equal((await daemon.call('GET', '/api/users/intruder')).status, 404);
  });

  it('changes no settings after the admin is blocked', async () => {
    const admin = user(daemon, 'admin');
    const body = { registries: { private_hosts: ['10.0.0.0/8'] } };
    const finish = await hold('PATCH', '/api/settings', body, admin.key);
    await change(admin.username, { blocked: true });

    assert.equal((await finish()).status, 401);

    assert.deepEqual((await daemon.client.getSettings()).registries.private_hosts, []);
  });

  it('creates no key from a revoked key', async () => {
    const owner = user(daemon, 'member');
    const leaked = JSON.parse((await daemon.call('POST', KEYS, { name: 'leaked' }, owner.key)).text);
    const finish = await hold('POST', KEYS, { name: 'again' }, leaked.key);
    assert.equal((await daemon.call('DELETE', `${KEYS}/${leaked.id}`, undefined, owner.key)).status, 204);

    assert.equal((await finish()).status, 401);
  });

  it('creates a key with only the remaining rights', async () => {
    const owner = user(daemon, 'admin');
    const finish = await hold('POST', KEYS, { name: 'late' }, owner.key);
    await change(owner.username, { role: 'viewer' });

    const { status, text } = await finish();

    assert.equal(status, 201, text);
    assert.equal(JSON.parse(text).role, 'viewer');
  });

  it('reads nothing from a project that the user can no longer access', async () => {
    const { project, reference } = await app(daemon);
    const member = user(daemon, 'member', [project]);
    const finish = await hold('GET', `/api/apps/${reference}`, {}, member.key);
    await change(member.username, { projects: [] });

    assert.equal((await finish()).status, 404);
  });

  it('is recorded as refused in the audit log', async () => {
    const { project, reference } = await app(daemon);
    const member = user(daemon, 'member', [project]);
    const finish = await hold('PATCH', `/api/apps/${reference}`, { port: 9090 }, member.key);
    await change(member.username, { blocked: true });

    assert.equal((await finish()).status, 401);

    const { events } = await daemon.client.listAudit({ query: { user: member.username } });
    assert.deepEqual(
      events.map(({ operation, outcome, status }) => [operation, outcome, status]),
      [['patchApp', 'refused', 401]],
    );
  });

  it('is refused as an MCP message too', async () => {
    const { project, reference } = await app(daemon);
    const member = user(daemon, 'member', [project]);
    const call = message('tools/call', { name: 'stop_app', arguments: { app: reference } });
    const headers = { ...headersFor(call), authorization: `Bearer ${member.key}` };
    const finish = await holdBody(daemon, { method: 'POST', path: '/mcp', headers, body: JSON.stringify(call) });
    assert.ok(!(await callTool(daemon, 'get_app', { app: reference }, member.key)).isError);
    await change(member.username, { blocked: true });

    assert.equal((await finish()).status, 401);
  });
});
