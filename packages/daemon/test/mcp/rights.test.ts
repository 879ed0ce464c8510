/**
 * Tests that rights are checked at every call, and that calls end when the rights end. Actions are recorded as actions
 * of an agent.
 */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { app, bootDaemon, deployedApp, keyFor, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { hashSecret, randomSecret } from '../../src/auth/secrets.ts';
import { deleteGrant, insertGrant, insertToken } from '../../src/db/tables/oauth.ts';
import { callTool, connect, message, post, said } from '../support/agent.ts';

const daemon = await bootDaemon();
after(() => daemon[Symbol.asyncDispose]());

async function audit(query: string): Promise<Record<string, unknown>[]> {
  return JSON.parse((await daemon.call('GET', `/api/audit?${query}`)).text).events;
}

const end = (username: string) => daemon.call('PATCH', `/api/users/${username}`, { blocked: true });

describe('revoked access to the MCP endpoint', () => {
  it('refuses the next call of a revoked API key', async () => {
    const member = user(daemon, 'member');
    assert.ok(!(await callTool(daemon, 'list_apps', {}, member.key)).isError);
    const [key] = JSON.parse((await daemon.call('GET', `/api/users/${member.username}/api-keys`)).text);
    await daemon.call('DELETE', `/api/users/${member.username}/api-keys/${key.id}`);
    assert.equal((await post(daemon, message('tools/list'), {}, member.key)).status, 401);
  });

  it('removes tools from the list and refuses them after a role change', async () => {
    const { reference } = await app(daemon);
    const member = user(daemon, 'member');
    await using client = await connect(daemon, keyFor(daemon, { id: member.id, role: 'admin' }));
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    assert.ok((await names()).includes('deploy_app'));
    await daemon.call('PATCH', `/api/users/${member.username}`, { role: 'viewer' });
    assert.ok(!(await names()).includes('deploy_app'));
    const refused = await callTool(daemon, 'deploy_app', { app: reference, tag: 'v1' }, member.key);
    assert.match(said(refused), /^403 forbidden: /);
  });

  it('ends a waiting deploy_app call of a blocked user, but the deployment continues', async () => {
    const { reference } = await app(daemon);
    const member = user(daemon, 'member');
    const gate = daemon.engine.controls.pause('probe');
    const waiting = callTool(daemon, 'deploy_app', { app: reference, tag: 'v1' }, member.key);
    await gate.reached;
    await end(member.username);
    // The deployment is paused, so only the check of the rights can end the wait.
    const result = await waiting;
    assert.match(said(result), /^401 unauthorized: /);
    gate.open();
    await daemon.settled();
    assert.equal(JSON.parse((await daemon.call('GET', `/api/apps/${reference}`)).text).live_tag, 'v1');
  });

  it('ends a waiting run_in_app call when the user is blocked', async () => {
    const { app: made } = await deployedApp(daemon);
    const member = user(daemon, 'member');
    const gate = daemon.engine.controls.pause('runOnce');
    const waiting = callTool(daemon, 'run_in_app', { app: made.reference, command: ['sleep'] }, member.key);
    await gate.reached;
    await end(member.username);
    assert.match(said(await waiting), /^401 unauthorized: /);
    gate.open();
    await until('the command has ended', async () => {
      const [run] = JSON.parse((await daemon.call('GET', `/api/apps/${made.reference}/runs`)).text);
      return run.status !== 'running';
    });
  });
});

describe('a program with an OAuth grant', () => {
  it('is limited to the granted role and the MCP endpoint until revocation', async () => {
    const { reference } = await app(daemon);
    const { store, now } = daemon.core;
    const token = `davit_${randomSecret()}`;
    const at = now();
    const grant = {
      userId: 1,
      clientId: 'https://agent.example/me',
      clientName: 'Agent',
      role: 'viewer',
      projects: null,
    } as const;
    const id = store.tx((tx) => {
      const made = insertGrant(tx, { ...grant, at, expiresAt: at + 60_000 });
      const access = {
        grant_id: made,
        resource: `${daemon.url}/mcp`,
        kind: 'access',
        expires_at: at + 60_000,
      } as const;
      insertToken(tx, hashSecret(token), access);
      return made;
    });
    assert.match(said(await callTool(daemon, 'list_apps', {}, token)), new RegExp(reference));
    assert.match(said(await callTool(daemon, 'stop_app', { app: reference }, token)), /^403 forbidden: /);
    assert.equal((await daemon.call('GET', '/api/apps', undefined, token)).status, 401);
    store.tx((tx) => deleteGrant(tx, id));
    assert.equal((await post(daemon, message('tools/list'), {}, token)).status, 401);
  });
});

describe('an interrupted tool call', () => {
  it('does not cancel the deployment when the client aborts', async () => {
    const { reference } = await app(daemon);
    const gate = daemon.engine.controls.pause('probe');
    await using client = await connect(daemon, daemon.key);
    const given = new AbortController();
    const call = client.callTool(
      { name: 'deploy_app', arguments: { app: reference, tag: 'v1' } },
      { signal: given.signal },
    );
    await gate.reached;
    given.abort();
    await assert.rejects(call);
    gate.open();
    await daemon.settled();
    assert.equal(JSON.parse((await daemon.call('GET', `/api/apps/${reference}`)).text).live_tag, 'v1');
  });

  it('returns 503 when the instance stops during the wait', async () => {
    const own = await bootDaemon();
    try {
      const { reference } = await app(own);
      const gate = own.engine.controls.pause('probe');
      const waiting = callTool(own, 'deploy_app', { app: reference, tag: 'v1' });
      await gate.reached;
      const stopped = own.stop();
      const result = await waiting;
      gate.open();
      await stopped;
      assert.match(said(result), /^503 unavailable: /);
    } finally {
      await own[Symbol.asyncDispose]();
    }
  });
});

describe('the audit log of MCP calls', () => {
  it('records each changing call with its operation, its outcome and “mcp” as the origin', async () => {
    const { reference } = await app(daemon);
    const member = user(daemon, 'member');
    await callTool(daemon, 'get_app', { app: reference }, member.key);
    await callTool(daemon, 'deploy_app', { app: reference, tag: 'v1' }, member.key);
    await callTool(daemon, 'set_app_env', { app: reference, set: { A: 'b' } }, member.key);
    await callTool(daemon, 'delete_app', { app: reference, confirm: reference }, user(daemon, 'viewer').key);
    const rows = await until('the rows', async () => {
      const found = await audit(`target=${reference}&via=mcp`);
      return found.length >= 3 ? found : null;
    });
    assert.deepEqual(
      rows.map(({ operation, outcome, status, via }) => [operation, outcome, status, via]),
      [
        ['deleteApp', 'refused', 403, 'mcp'],
        ['setAppEnv', 'ok', 200, 'mcp'],
        ['deployApp', 'ok', 202, 'mcp'],
      ],
    );
    assert.deepEqual(
      rows.slice(1).map(({ actor }) => actor),
      [member.username, member.username],
    );
  });

  it('records a request with an invalid API key', async () => {
    await post(daemon, message('tools/list'), {}, `davit_${'1'.repeat(64)}`);
    await until(
      'the row',
      async () => (await audit('operation=POST%20/mcp')).find(({ status }) => status === 401) ?? null,
    );
  });
});
