/** Effects and results of tool calls: deployments that are awaited, typical use, and no secrets. */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Deployment, Problem } from '@davit/api';
import { app, bootDaemon, deployedApp, project } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { TOOLS } from '../../src/mcp/tools.ts';
import { callTool, connect, ERAS, said } from '../support/agent.ts';
import { checkedTool } from '../support/checked-tool.ts';

const daemon = await bootDaemon();
after(() => daemon[Symbol.asyncDispose]());

const call = <T = Record<string, unknown>>(name: string, args: Record<string, unknown> = {}) =>
  checkedTool<T>(daemon, name, args);

describe('deploy_app', () => {
  it('returns the same record as the API after the deployment has ended', async () => {
    const { reference } = await app(daemon);
    const record = await call<Deployment>('deploy_app', { app: reference, tag: 'v1' });
    const read = JSON.parse((await daemon.call('GET', `/api/apps/${reference}/deployments/${record.id}`)).text);
    assert.deepEqual(record, read);
    assert.deepEqual([record.status, record.tag, record.trigger.via], ['succeeded', 'v1', 'mcp']);
  });

  for (const era of ERAS) {
    it(`reports the deployment steps as progress with protocol version ${era}`, async () => {
      const { reference } = await app(daemon);
      await using client = await connect(daemon, daemon.key, era);
      const messages: string[] = [];
      const onprogress = ({ message }: { message?: string | undefined }) => {
        messages.push(message ?? '');
      };
      await client.callTool({ name: 'deploy_app', arguments: { app: reference, tag: 'v1' } }, { onprogress });
      assert.match(messages.join('\n'), /pull started\..*pull finished\..*switch finished\./s);
      assert.match(messages.at(-1) ?? '', /is succeeded\.$/);
    });
  }

  it('returns immediately with “wait: false”, and get_deployment with “wait” returns the outcome', async () => {
    const { reference } = await app(daemon);
    const gate = daemon.engine.controls.pause('probe');
    const begun = await call<Deployment>('deploy_app', { app: reference, tag: 'v1', wait: false });
    assert.ok(['pending', 'running'].includes(begun.status));
    const waiting = call<Deployment>('get_deployment', { app: reference, deployment: begun.id, wait: true });
    await gate.reached;
    gate.open();
    assert.equal((await waiting).status, 'succeeded');
  });

  it('returns an error with the record and the log if the deployment fails', async () => {
    const { app: made } = await deployedApp(daemon);
    const result = await callTool(daemon, 'deploy_app', { app: made.reference, tag: 'crash' });
    const record = result.structuredContent as unknown as Deployment;
    assert.ok(result.isError);
    assert.match(said(result), /^Deployment \d+ of \S+ failed\. /);
    assert.equal(record.status, 'failed');
    assert.match((record.log ?? []).join('\n'), /this example crashes/);
    assert.equal((await call('get_app', { app: made.reference })).live_tag, 'v1');
  });

  it('refuses invalid arguments with the error messages of the API', async () => {
    const { reference } = await app(daemon);
    const wrong = await callTool(daemon, 'deploy_app', { app: reference, tag: 'not a tag' });
    assert.match(said(wrong), /^400 invalid_input: tag: must be an image tag/);
    const data = wrong._meta?.['davit/error'] as Problem;
    assert.deepEqual([data.status, data.code, data.retryable], [400, 'invalid_input', false]);
    assert.deepEqual(
      data.fields.map(({ path, code }) => [path, code]),
      [['tag', 'invalid_format']],
    );
    assert.match(data.fields[0]?.message ?? '', /^must be an image tag/);
    assert.equal(wrong.structuredContent, undefined);
    assert.match(
      said(await callTool(daemon, 'deploy_app', { app: 'web', tag: 'v1' })),
      /^400 invalid_input: app: must be an app in the form/,
    );
    assert.match(
      said(await callTool(daemon, 'deploy_app', { app: reference, tag: 'v1', dry_run: true })),
      /dry_run: The tool \w+ has no argument with this name/,
    );
    assert.match(
      said(await callTool(daemon, 'deploy_app', { app: reference, tag: 'v1', force: true })),
      /force: is not a field/,
    );
  });
});

describe('typical use of the MCP tools', () => {
  it('works with tools only, and each result matches the schema of its tool', async () => {
    const slug = await project(daemon);
    const target = `${slug}/production/web`;
    const items = async (name: string, args: object = {}) =>
      (await call<{ items: Record<string, unknown>[] }>(name, args as Record<string, unknown>)).items;

    await call('create_project', { slug: `${slug}-two` });
    await call('create_environment', { project: slug, slug: 'staging' });
    await call('create_app', {
      project: slug,
      environment: 'production',
      name: 'web',
      source: 'image',
      image: 'example/web',
      port: 8080,
    });
    await call('create_app', {
      project: slug,
      environment: 'staging',
      name: 'web',
      source: 'image',
      image: 'example/web',
      port: 8080,
    });
    await call('set_project_env', { project: slug, set: { A: '1' } });
    await call('set_environment_env', { environment: `${slug}/staging`, set: { B: '2' } });
    await call('set_app_env', { app: target, set: { TOKEN: 'canary-value-1' }, secret: ['TOKEN'] });
    const first = await call<Deployment>('deploy_app', { app: target, tag: 'v1' });
    await call('deploy_app', { app: `${slug}/staging/web`, tag: 'v2' });
    await call('promote_environment', { environment: `${slug}/production`, from: 'staging' });
    await daemon.settled();
    await call('rollback_app', { app: target, deployment: first.id });
    await call('restart_app', { app: target });
    await call('stop_app', { app: target });
    await call('start_app', { app: target });
    await call('patch_app', { app: target, labels: { team: 'shop' }, port: 9090 });
    assert.equal((await items('list_apps', { label: 'team=shop' })).length, 1);
    const [revision] = await items('list_revisions', { app: target });
    await call('get_revision', { app: target, revision: revision?.number });
    await call('compare_revisions', { app: target, revision: 1 });
    await call('restore_revision', { app: target, revision: 1 });
    const domain = await call('add_domain', { app: target, host: `${slug}.example.com` });
    await call('patch_domain', { app: target, domain: domain.id, headers: { 'x-a': 'b' } });
    assert.equal((await items('list_domains', { app: target })).length, 1);
    await call('remove_domain', { app: target, domain: domain.id, confirm: target });
    const run = await call('run_in_app', { app: target, command: ['true'] });
    await call('get_run', { app: target, run: run.id });
    await items('list_runs', { app: target });
    const schedule = await call('create_schedule', { app: target, cron: '0 3 * * *', command: ['true'] });
    await call('patch_schedule', { app: target, schedule: schedule.id, enabled: false });
    const due = await call('run_schedule', { app: target, schedule: schedule.id });
    await until(
      'the run of the schedule ends',
      async () => (await call('get_run', { app: target, run: due.id })).status !== 'running',
    );
    await items('list_schedules', { app: target });
    await items('list_schedule_runs', { app: target, schedule: schedule.id });
    await call('remove_schedule', { app: target, schedule: schedule.id, confirm: target });
    await call('add_volume', { app: target, path: '/data' });
    for (const name of ['list_app_volumes', 'list_tcp_ports', 'list_releases', 'list_deployments'])
      await items(name, { app: target });
    for (const name of [
      'list_projects',
      'list_volumes',
      'list_certificates',
      'list_repositories',
      'list_recent_deployments',
    ])
      await items(name);
    for (const name of ['get_app', 'get_app_env', 'get_app_metrics', 'get_app_logs']) await call(name, { app: target });
    for (const name of ['get_me', 'get_instance', 'get_instance_metrics', 'get_own_registry', 'list_audit'])
      await call(name);
    await items('list_environments', { project: slug });
    await call('get_project_env', { project: slug });
    await call('get_environment_env', { environment: `${slug}/staging` });
    const page = await call<{ items: unknown[]; next?: string }>('list_deployments', { app: target, limit: 1 });
    assert.equal(page.items.length, 1);
    assert.ok((await items('list_deployments', { app: target, limit: 1, cursor: page.next })).length === 1);
    await call('delete_app', { app: `${slug}/staging/web`, confirm: `${slug}/staging/web` });
    await call('delete_environment', { environment: `${slug}/staging`, confirm: `${slug}/staging` });
    await call('delete_project', { project: `${slug}-two`, confirm: `${slug}-two` });
    assert.equal((await daemon.call('GET', `/api/projects/${slug}-two`)).status, 404);
  });
});

describe('secret values in tool results', () => {
  const CANARY = 'canary-7f21c0ffee';

  it('are hidden in the results of all read tools, even for an admin', async () => {
    const { app: made } = await deployedApp(daemon);
    const { reference, project: slug, environment } = made;
    const set = { set: { TOKEN: CANARY, PLAIN: 'seen' }, secret: ['TOKEN'] };
    await call('set_project_env', { project: slug, ...set });
    await call('set_environment_env', { environment: `${slug}/${environment}`, ...set });
    const answered = await call<{ vars: Record<string, string | null> }>('set_app_env', { app: reference, ...set });
    assert.deepEqual(answered.vars, { TOKEN: null, PLAIN: 'seen' });
    await call('deploy_app', { app: reference, tag: 'v2' });
    const [instance] = daemon.engine.controls
      .containers()
      .filter(({ app: of, state }) => of === reference && state === 'running');
    daemon.engine.controls.writeLog(instance?.id ?? '', `connecting with ${CANARY} to the database`);
    await until('the line is kept', async () =>
      (await daemon.call('GET', `/api/apps/${reference}/logs`)).text.includes(CANARY),
    );
    const texts: string[] = [];
    for (const { name, reference: kind, path, operation } of TOOLS) {
      if (operation.effect !== 'read') continue;
      const database = `${slug}/${environment}/none`;
      const target = { app: reference, database, environment: `${slug}/${environment}`, project: slug }[kind ?? 'app'];
      const numbers = Object.fromEntries(path.map((one) => [one, one === 'tag' ? 'v1' : 2]));
      texts.push(JSON.stringify(await callTool(daemon, name, { ...(kind && { [kind]: target }), ...numbers })));
    }
    assert.doesNotMatch(texts.join('\n'), new RegExp(CANARY));
    assert.match(texts.join('\n'), /connecting with \[secret TOKEN\] to the database/);
  });
});
