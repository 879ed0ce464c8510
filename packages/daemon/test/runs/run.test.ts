import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Run } from '@davit/api';
import { bootDaemon, deployedApp, app as newApp, paramsOf, readEvents, type TestDaemon, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';

describe('a command in an app', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  async function deployed(settings: Record<string, unknown> = {}) {
    const { app, deployment } = await deployedApp(daemon, settings);
    return { reference: app.reference, params: paramsOf(app), deployment };
  }

  const post = (reference: string, body: unknown, query = '', key?: string) =>
    daemon.call('POST', `/api/apps/${reference}/run${query}`, body, key);

  const containers = () => daemon.engine.controls.containers().filter(({ kind }) => kind === 'run');

  /** Polls until a command of an app is running. */
  async function going(reference: string): Promise<Run> {
    const runs = await until(`a run of ${reference}`, async () => {
      const { text } = await daemon.call('GET', `/api/apps/${reference}/runs?limit=1`);
      const [run] = JSON.parse(text) as Run[];
      const isThere = containers().some(({ name, state }) => name.endsWith(`-run-${run?.id}`) && state === 'running');
      return run?.status === 'running' && isThere ? run : null;
    });
    return runs;
  }

  async function ended(reference: string, id: number, key?: string): Promise<Run> {
    return until(`the end of run ${id}`, async () => {
      const { text } = await daemon.call('GET', `/api/apps/${reference}/runs/${id}`, undefined, key);
      const run = JSON.parse(text) as Run;
      return run.status === 'running' ? null : run;
    });
  }

  it('returns its output and exit code', async () => {
    const { reference, deployment } = await deployed();

    const { status, text } = await post(reference, { command: ['sh', '-c', 'echo one; echo two >&2; exit 3'] });

    assert.equal(status, 200);
    const { id, created_at, started_at, finished_at, ...run } = JSON.parse(text) as Run;
    assert.deepEqual(run, {
      app: reference,
      deployment: deployment.id,
      schedule: null,
      command: ['sh', '-c', 'echo one; echo two >&2; exit 3'],
      timeout_s: 600,
      status: 'failed',
      exit_code: 3,
      timed_out: false,
      output: 'one\ntwo\n',
      error: null,
      error_code: null,
      by: 'admin',
      via: 'api',
    });
    assert.ok(created_at && started_at && finished_at);
    assert.equal(JSON.parse((await daemon.call('GET', `/api/apps/${reference}/runs/${id}`)).text).output, 'one\ntwo\n');
    assert.deepEqual(containers(), []);
  });

  it('uses the image, variables, network and limits of the live release', async () => {
    const { reference, params, deployment } = await deployed({ limits: { memory_bytes: 64 * 1024 ** 2 } });
    await daemon.client.setAppEnv({ params, body: { set: { GREETING: 'from the next revision' } } });
    const { text } = await post(reference, { command: ['sleep', '1'] }, '?detach=true');

    const { id } = await going(reference);

    const [container] = containers();
    const [instance] = daemon.engine.controls.containers().filter(({ deployment: d }) => d === deployment.id);
    assert.equal(container?.imageId, instance?.imageId);
    assert.equal(container?.network, instance?.network);
    assert.equal(container?.limits.memoryBytes, 64 * 1024 ** 2);
    assert.equal(container?.env.GREETING, undefined);
    assert.equal(container?.env.DAVIT_DEPLOYMENT, String(deployment.id));
    assert.equal(container?.env.DAVIT_REPLICA, container?.name);
    assert.equal((JSON.parse(text) as Run).id, id);
    await daemon.call('POST', `/api/apps/${reference}/runs/${id}/cancel`);
  });

  it('prevents the deletion of its deployment record while the command runs', async () => {
    const { reference, deployment } = await deployed();
    await post(reference, { command: ['sleep', '1000'] }, '?detach=true');
    const { id } = await going(reference);
    await daemon.call('POST', `/api/apps/${reference}/deploy?wait=true`, { tag: 'v2' });
    const forget = () => daemon.call('DELETE', `/api/apps/${reference}/deployments/${deployment.id}`);
    const refused = await until('only the run uses it', async () => {
      const { status, text } = await forget();
      return text.includes('still stopping') ? null : { status, text };
    });

    assert.equal(refused.status, 409, refused.text);
    assert.match(refused.text, new RegExp(`Run ${id} uses deployment ${deployment.id}`));
    await daemon.call('POST', `/api/apps/${reference}/runs/${id}/cancel`);
    assert.equal((await forget()).status, 204);
  });

  it('is refused for an app that was never deployed', async () => {
    const app = await newApp(daemon);

    const { status, text } = await post(app.reference, { command: ['true'] });

    assert.equal(status, 409);
    assert.match(text, /no live release.*Deploy the app first/);
    assert.deepEqual(await daemon.client.listRuns({ params: paramsOf(app) }), []);
  });

  it('is allowed while the app is stopped', async () => {
    const { reference, params } = await deployed();
    await daemon.client.stopApp({ params });

    const { text } = await post(reference, { command: ['echo', 'still here'] });

    assert.equal((JSON.parse(text) as Run).output, 'still here\n');
  });

  for (const [body, field] of [
    [{}, 'command'],
    [{ command: 'ls' }, 'command'],
    [{ command: [] }, 'command'],
    [{ command: [''] }, 'command'],
    [{ command: Array(257).fill('x') }, 'command'],
    [{ command: ['x'], timeout_s: 0 }, 'timeout_s'],
    [{ command: ['x'], timeout_s: 86_401 }, 'timeout_s'],
    [{ command: ['x'], timeout_s: 1.5 }, 'timeout_s'],
    [{ command: ['x'], shell: true }, 'shell'],
  ] as const) {
    it(`is refused for the input ${JSON.stringify(body).slice(0, 60)} and creates no run`, async () => {
      const { reference, params } = await deployed();

      const { status, text } = await post(reference, body);

      assert.equal(status, 400);
      assert.ok(text.startsWith(`${field}: `), text);
      assert.deepEqual(await daemon.client.listRuns({ params }), []);
    });
  }

  it('is stopped at its timeout, and its output is kept', async () => {
    const { reference } = await deployed();

    const { text } = await post(reference, { command: ['sh', '-c', 'echo begun; sleep 1000'], timeout_s: 1 });

    const { status, exit_code, timed_out, output, error } = JSON.parse(text) as Run;
    assert.deepEqual(
      { status, exit_code, timed_out, output },
      {
        status: 'timed_out',
        exit_code: null,
        timed_out: true,
        output: 'begun\n',
      },
    );
    assert.match(error ?? '', /within 1 second,/);
    assert.deepEqual(containers(), []);
  });

  it('is canceled when the client disconnects', async () => {
    const { reference } = await deployed();
    const leaving = new AbortController();
    const pending = daemon.send({
      method: 'POST',
      path: `/api/apps/${reference}/run`,
      headers: { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ command: ['sleep', '1000'] }),
      signal: leaving.signal,
    });
    const { id } = await going(reference);

    leaving.abort();

    await assert.rejects(pending);
    const run = await ended(reference, id);
    assert.equal(run.status, 'cancelled');
    assert.match(run.error ?? '', /the client disconnected/);
    assert.deepEqual(containers(), []);
  });

  it('continues after the client disconnects if an Idempotency-Key was sent', async () => {
    const { reference } = await deployed();
    const leaving = new AbortController();
    const sending = {
      method: 'POST',
      path: `/api/apps/${reference}/run`,
      headers: {
        authorization: `Bearer ${daemon.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'only-once',
      },
      body: JSON.stringify({ command: ['sh', '-c', 'echo begun; sleep 1000'] }),
    };
    const pending = daemon.send({ ...sending, signal: leaving.signal });
    const { id } = await going(reference);
    leaving.abort();
    await assert.rejects(pending);

    assert.equal((await daemon.send(sending)).status, 409);
    const [container] = containers().filter(({ name }) => name.endsWith(`-run-${id}`));
    daemon.engine.controls.kill(container?.id ?? '', { exitCode: 2 });
    const { text } = await until('the answer of the first request', async () => {
      const answer = await daemon.send(sending);
      return answer.status === 409 ? null : answer;
    });

    const run = JSON.parse(text) as Run;
    assert.deepEqual([run.id, run.exit_code, run.output], [id, 2, 'begun\n']);
  });

  it('can run detached, and its result is available later', async () => {
    const { reference } = await deployed();

    const begun = await post(reference, { command: ['echo', 'done'] }, '?detach=true');

    assert.equal(begun.status, 202);
    const { id, status, output } = JSON.parse(begun.text) as Run;
    assert.deepEqual([status, output], ['running', null]);
    assert.equal(begun.headers.get('location'), `/api/apps/${reference}/runs/${id}`);
    assert.equal((await ended(reference, id)).output, 'done\n');
  });

  it('can be canceled only once and keeps its output', async () => {
    const { reference } = await deployed();
    await post(reference, { command: ['sh', '-c', 'echo so far; sleep 1000'] }, '?detach=true');
    const { id } = await going(reference);

    const cancelled = await daemon.call('POST', `/api/apps/${reference}/runs/${id}/cancel`);

    const { status, error, exit_code, output } = JSON.parse(cancelled.text) as Run;
    assert.deepEqual([cancelled.status, status, exit_code, output], [200, 'cancelled', null, 'so far\n']);
    assert.match(error ?? '', /^admin canceled the run/);
    assert.equal((await daemon.call('POST', `/api/apps/${reference}/runs/${id}/cancel`)).status, 409);
    assert.deepEqual(containers(), []);
  });

  it('is refused if the app has ten running commands', async () => {
    const { reference } = await deployed();
    for (let i = 0; i < 10; i++) await post(reference, { command: ['sleep', '1000'] }, '?detach=true');

    const { status, text } = await post(reference, { command: ['true'] });

    assert.equal(status, 409);
    assert.match(text, /10 running commands/);
    for (const { id } of JSON.parse((await daemon.call('GET', `/api/apps/${reference}/runs`)).text) as Run[]) {
      await daemon.call('POST', `/api/apps/${reference}/runs/${id}/cancel`);
    }
  });

  it('reports the engine’s error if the command cannot start', async () => {
    const { reference } = await deployed();
    daemon.engine.controls.fail('runOnce');

    const { status, text } = await post(reference, { command: ['true'] });

    const run = JSON.parse(text) as Run;
    assert.deepEqual([status, run.status, run.exit_code], [200, 'failed', null]);
    assert.match(run.error ?? '', /simulated failure of Docker\.$/);
  });

  it('is not repeated if the engine becomes unavailable during the start', async () => {
    const { reference } = await deployed();
    const { EngineUnavailable } = await import('@davit/daemon/adapters/engine/errors.ts');
    daemon.engine.controls.fail('runOnce', { afterEffect: true, error: new EngineUnavailable('gone') });

    const { text } = await post(reference, { command: ['echo', 'once'] });

    const run = JSON.parse(text) as Run;
    assert.equal(run.status, 'failed');
    assert.match(run.error ?? '', /container of the run does not exist anymore/);
    assert.equal(run.output, 'once\n');
  });

  it('is refused with 503 while the engine is unavailable', async () => {
    const { reference, params } = await deployed();
    daemon.engine.controls.setAvailable(false);
    // The pass first checks the engine.
    daemon.core.nudgeRetirement();
    await until('the engine is seen to be away', async () => (daemon.core.engineSight().available ? null : true));

    const { status } = await post(reference, { command: ['true'] });

    daemon.engine.controls.setAvailable(true);
    await until('the engine is seen to be back', async () => (daemon.core.engineSight().available ? true : null));
    assert.equal(status, 503);
    assert.deepEqual(await daemon.client.listRuns({ params }), []);
  });

  it('streams each line and ends the stream with the run record', async () => {
    const { reference } = await deployed();

    const headers = { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ command: ['sh', '-c', 'echo one; echo two >&2; exit 4'] });
    const path = `/api/apps/${reference}/run?follow=true`;
    using reader = await readEvents({ url: daemon.url }, path, { method: 'POST', headers, body });

    const events = await reader.rest();
    assert.deepEqual([reader.status, reader.headers['content-type']], [200, 'text/event-stream']);
    const lines = events
      .filter(({ event }) => event === 'log')
      .flatMap(({ data }) => data.lines as { container: string; stream: string; at: string; line: string }[]);
    const run = events.at(-1)?.data as unknown as Run;
    const container = `davit-${daemon.core.facts.id}-run-${run.id}`;
    assert.deepEqual(
      lines.map(({ at: _, ...line }) => line),
      [
        { container, stream: 'stdout', line: 'one' },
        { container, stream: 'stderr', line: 'two' },
      ],
    );
    assert.deepEqual([events.at(-1)?.event, run.exit_code, run.timed_out, run.output], ['run', 4, false, 'one\ntwo\n']);
  });

  it('streams lines before its end and is canceled when the reader disconnects', async () => {
    const { reference } = await deployed();
    const headers = { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ command: ['sh', '-c', 'echo begun; sleep 1000'] });
    const path = `/api/apps/${reference}/run?follow=true`;
    const reader = await readEvents({ url: daemon.url }, path, { method: 'POST', headers, body });

    await reader.until(({ event }) => event === 'log');
    const { id } = await going(reference);
    reader[Symbol.dispose]();

    assert.equal((await ended(reference, id)).status, 'cancelled');
    assert.deepEqual(containers(), []);
  });

  it('cannot be streamed without a live release or with invalid options', async () => {
    const app = await newApp(daemon);

    assert.equal((await post(app.reference, { command: ['true'] }, '?follow=true')).status, 409);
    assert.equal((await post(app.reference, { command: ['true'] }, '?follow=true&detach=true')).status, 400);
    assert.equal((await post(app.reference, { command: ['true'] }, '?follow=yes')).status, 400);
  });

  it('cannot be started by a viewer, and its output is hidden from viewers', async () => {
    const { reference, params } = await deployed();
    const viewer = user(daemon, 'viewer');
    const member = user(daemon, 'member', [params.project]);
    const stranger = user(daemon, 'member', []);
    const { text } = await post(reference, { command: ['echo', 'secret'] }, '', member.key);
    const { id } = JSON.parse(text) as Run;

    assert.equal((await post(reference, { command: ['true'] }, '', viewer.key)).status, 403);
    assert.equal((await post(reference, { command: ['true'] }, '', stranger.key)).status, 404);
    const seen = JSON.parse(
      (await daemon.call('GET', `/api/apps/${reference}/runs/${id}`, undefined, viewer.key)).text,
    );
    assert.deepEqual([seen.output, seen.exit_code, seen.by], [null, 0, member.username]);
    const cancel = `/api/apps/${reference}/runs/${id}/cancel`;
    assert.equal((await daemon.call('POST', cancel, undefined, viewer.key)).status, 403);
  });

  it('is not found through another app', async () => {
    const one = await deployed();
    const other = await deployed();
    const { id } = JSON.parse((await post(one.reference, { command: ['true'] })).text) as Run;

    for (const number of [String(id), '0', 'x', '999999']) {
      assert.equal((await daemon.call('GET', `/api/apps/${other.reference}/runs/${number}`)).status, 404);
      assert.equal((await daemon.call('POST', `/api/apps/${other.reference}/runs/${number}/cancel`)).status, 404);
    }
  });

  it('is listed newest first and in pages', async () => {
    const { reference } = await deployed();
    for (let i = 1; i <= 3; i++) await post(reference, { command: ['echo', String(i)] });

    const first = await daemon.call('GET', `/api/apps/${reference}/runs?limit=2`);
    const runs = JSON.parse(first.text) as Run[];

    assert.deepEqual(
      runs.map(({ command, output }) => [command[1], output]),
      [
        ['3', undefined],
        ['2', undefined],
      ],
    );
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const rest = JSON.parse((await daemon.call('GET', next)).text) as Run[];
    assert.deepEqual(
      rest.map(({ command }) => command[1]),
      ['1'],
    );
  });

  it('ends when its app is deleted, and its record is no longer available', async () => {
    const { reference, params } = await deployed();
    await post(reference, { command: ['sleep', '1000'] }, '?detach=true');
    await going(reference);

    await daemon.client.deleteApp({ params });

    await until('its container is gone', async () => (containers().length === 0 ? true : null));
    assert.equal((await daemon.call('GET', `/api/apps/${reference}/runs`)).status, 404);
  });
});
