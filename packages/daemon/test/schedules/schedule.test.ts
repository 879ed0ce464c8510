import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Run, Schedule } from '@davit/api';
import { type Answer, bootDaemon, deployedApp, app as newApp, paramsOf, type TestDaemon, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { unchecked } from '../../src/db/select.ts';

const START = Date.parse('2026-06-01T12:00:30Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const parse = <T>(answer: Answer) => JSON.parse(answer.text) as T;

describe('a schedule', () => {
  let now = START;
  let daemon: TestDaemon;
  let reference: string;
  let params: { project: string; environment: string; app: string };
  let path: string;

  before(async () => {
    daemon = await bootDaemon({ now: () => now });
  });
  after(() => daemon[Symbol.asyncDispose]());
  beforeEach(async () => {
    const { app } = await deployedApp(daemon);
    reference = app.reference;
    params = paramsOf(app);
    path = `/api/apps/${reference}/schedules`;
  });

  const create = async (fields: object = {}): Promise<Schedule> => {
    const answer = await daemon.call('POST', path, { cron: '*/5 * * * *', command: ['echo', 'done'], ...fields });
    assert.equal(answer.status, 201, answer.text);
    return parse(answer);
  };
  const read = async (id: number) => parse<Schedule>(await daemon.call('GET', `${path}/${id}`));
  const runsOf = async (id: number) => parse<Run[]>(await daemon.call('GET', `${path}/${id}/runs`));

  /** Sets the clock and runs a pass of the schedules. */
  async function at(time: string | number): Promise<void> {
    now = typeof time === 'number' ? time : Date.parse(time);
    daemon.core.nudgeSchedules();
    await daemon.settled();
  }

  const ended = (id: number) =>
    until(`the end of a run of schedule ${id}`, async () => {
      const [run] = await runsOf(id);
      return run && run.status !== 'running' ? run : null;
    });

  it('can be created, read, listed, changed and deleted', async () => {
    const made = await create({ name: 'nightly', cron: '30 2 * * *', time_zone: 'Europe/Berlin', timeout_s: 60 });

    const next = new Date(now - (now % (24 * HOUR)) + 24.5 * HOUR).toISOString();
    assert.deepEqual(made, {
      id: made.id,
      app: reference,
      name: 'nightly',
      cron: '30 2 * * *',
      time_zone: 'Europe/Berlin',
      command: ['echo', 'done'],
      timeout_s: 60,
      enabled: true,
      next_run_at: next,
      last_run: null,
      created_by: 'admin',
      created_at: new Date(now).toISOString(),
      updated_at: new Date(now).toISOString(),
    });
    assert.deepEqual(await read(made.id), made);
    assert.deepEqual(parse(await daemon.call('GET', path)), [made]);
    const patch = { name: null, time_zone: null, timeout_s: null, command: ['true'] };
    const changed = parse<Schedule>(await daemon.call('PATCH', `${path}/${made.id}`, patch));
    assert.deepEqual(
      [changed.name, changed.time_zone, changed.timeout_s, changed.command],
      [null, 'UTC', 600, ['true']],
    );
    assert.notEqual(changed.next_run_at, next);
    assert.equal((await daemon.call('DELETE', `${path}/${made.id}`)).status, 204);
    assert.equal((await daemon.call('GET', `${path}/${made.id}`)).status, 404);
    assert.equal((await daemon.call('DELETE', `${path}/${made.id}`)).status, 404);
  });

  it('can be previewed with its next run times or validation errors', async () => {
    await at('2026-03-28T12:00:00Z');
    const preview = async (query: string, key?: string) =>
      daemon.call('GET', `/api/schedule-times?${query}`, undefined, key);
    const times = await preview('cron=30%202%20*%20*%20*&time_zone=Europe/Berlin', user(daemon, 'viewer').key);

    // The clock is set forward on the 29th, so 02:30 does not exist.
    assert.deepEqual(parse(times), {
      times: [
        '2026-03-29T01:00:00.000Z',
        '2026-03-30T00:30:00.000Z',
        '2026-03-31T00:30:00.000Z',
        '2026-04-01T00:30:00.000Z',
        '2026-04-02T00:30:00.000Z',
      ],
    });
    for (const [query, wrong] of [
      ['cron=never', /^cron: must be five fields/],
      ['cron=61%20*%20*%20*%20*', /^cron: The cron expression is not valid/],
      ['cron=0%200%2030%202%20*', /^cron: The cron expression never matches a time/],
      ['cron=@daily&time_zone=Mars', /^time_zone: must be the name of a time zone/],
    ] as const) {
      const { status, text } = await preview(query);
      assert.deepEqual([status, wrong.test(text)], [400, true], text);
    }
    await at(START);
  });

  it('runs its command once at each due time', async () => {
    await at('2026-06-01T12:00:30Z');
    const { id } = await create();

    await at('2026-06-01T12:04:59Z');
    assert.deepEqual(await runsOf(id), []);
    await at('2026-06-01T12:05:00Z');
    const first = await ended(id);
    await at('2026-06-01T12:05:01Z');

    assert.equal((await runsOf(id)).length, 1);
    assert.deepEqual(
      [first.status, first.schedule, first.by, first.via, first.command, first.created_at],
      ['succeeded', id, 'davit', 'schedule', ['echo', 'done'], '2026-06-01T12:05:00.000Z'],
    );
    const { next_run_at, last_run } = await read(id);
    assert.equal(next_run_at, '2026-06-01T12:10:00.000Z');
    assert.deepEqual(last_run, first);
    assert.equal(parse<Run>(await daemon.call('GET', `/api/apps/${reference}/runs/${first.id}`)).output, 'done\n');
    assert.deepEqual(parse(await daemon.call('GET', `/api/apps/${reference}/runs`)), [first]);
  });

  it('has an audit log entry for each run but not for skipped times', async () => {
    await at('2026-06-01T12:00:30Z');
    const { id } = await create();
    await at('2026-06-01T12:05:00Z');
    await ended(id);
    await daemon.client.stopApp({ params });
    await at('2026-06-01T12:10:00Z');

    const { events } = parse<{ events: Record<string, unknown>[] }>(
      await daemon.call('GET', '/api/audit?via=schedule'),
    );

    const own = events.filter(({ target }) => target === `${reference}/schedules/${id}`);
    assert.deepEqual(
      own.map(({ actor, operation, outcome }) => [actor, operation, outcome]),
      [['davit', 'runSchedule', 'ok']],
    );
  });

  it('skips a due time while its previous run is still running', async () => {
    await at('2026-06-01T12:00:30Z');
    const { id } = await create({ command: ['sleep', '1000'], timeout_s: 86_400 });
    await at('2026-06-01T12:05:00Z');

    await at('2026-06-01T12:10:00Z');

    const [skipped, going] = await runsOf(id);
    assert.deepEqual([going?.status, skipped?.status, skipped?.exit_code], ['running', 'skipped', null]);
    assert.match(skipped?.error ?? '', new RegExp(`Run ${going?.id} of the schedule is still running`));
    assert.equal((await read(id)).next_run_at, '2026-06-01T12:15:00.000Z');
    const again = await daemon.call('POST', `${path}/${id}/run`);
    assert.equal(again.status, 409);
    await daemon.call('POST', `/api/apps/${reference}/runs/${going?.id}/cancel`);
  });

  it('is skipped while its app is stopped or was never deployed', async () => {
    await at('2026-06-01T12:00:30Z');
    const { id } = await create();
    await daemon.client.stopApp({ params });
    const { reference: never } = await newApp(daemon);
    const other = await daemon.call('POST', `/api/apps/${never}/schedules`, { cron: '*/5 * * * *', command: ['true'] });

    await at('2026-06-01T12:05:00Z');

    assert.match((await runsOf(id))[0]?.error ?? '', /was stopped/);
    const otherRuns = await daemon.call('GET', `/api/apps/${never}/schedules/${parse<Schedule>(other).id}/runs`);
    const [run] = parse<Run[]>(otherRuns);
    assert.deepEqual([run?.status, run?.deployment], ['skipped', null]);
    assert.match(run?.error ?? '', /no live release/);
  });

  it('runs once for all times missed within the last hour', async () => {
    await at('2026-06-01T12:00:30Z');
    const { id } = await create();
    await daemon.stop();
    now = Date.parse('2026-06-01T12:58:00Z');

    await daemon.start();

    await ended(id);
    assert.equal((await runsOf(id)).length, 1);
    assert.equal((await read(id)).next_run_at, '2026-06-01T13:00:00.000Z');
  });

  it('records a time missed more than an hour ago as skipped', async () => {
    await at('2026-06-01T12:00:30Z');
    const { id } = await create({ cron: '5 12 * * *' });
    await daemon.stop();
    now = Date.parse('2026-06-01T13:05:01Z');

    await daemon.start();

    const run = await ended(id);
    assert.equal(run.status, 'skipped');
    assert.match(run.error ?? '', /not running at 2026-06-01T12:05:00.000Z/);
    assert.equal((await read(id)).next_run_at, '2026-06-02T12:05:00.000Z');
  });

  it('does not run while disabled but can be run manually', async () => {
    await at('2026-06-01T12:00:30Z');
    const { id, next_run_at } = await create({ enabled: false });
    assert.equal(next_run_at, null);
    await at('2026-06-01T14:00:00Z');
    assert.deepEqual(await runsOf(id), []);

    const answer = await daemon.call('POST', `${path}/${id}/run`);

    const run = parse<Run>(answer);
    assert.deepEqual([answer.status, run.schedule, run.by, run.via], [202, id, 'admin', 'api']);
    assert.equal(answer.headers.get('location'), `/api/apps/${reference}/runs/${run.id}`);
    assert.equal((await ended(id)).status, 'succeeded');
    const enabled = parse<Schedule>(await daemon.call('PATCH', `${path}/${id}`, { enabled: true }));
    assert.equal(enabled.next_run_at, '2026-06-01T14:05:00.000Z');
  });

  it('keeps its latest runs and, separately, its latest skipped times', async () => {
    await at('2026-06-01T12:00:30Z');
    await daemon.call('PATCH', '/api/settings', { runs: { per_schedule: 2 } });
    const { id } = await create({ cron: '* * * * *' });
    const start = now - (now % MINUTE);
    for (const minute of [1, 2, 3]) {
      await at(start + minute * MINUTE);
      await ended(id);
    }
    await daemon.client.stopApp({ params });
    for (const minute of [4, 5, 6]) await at(start + minute * MINUTE);

    const statuses = (await runsOf(id)).map(({ status }) => status);

    assert.deepEqual(statuses, ['skipped', 'skipped', 'succeeded', 'succeeded']);
    await daemon.call('PATCH', '/api/settings', { runs: { per_schedule: 20 } });
  });

  it('can be deleted while its run continues in the app', async () => {
    await at('2026-06-01T12:00:30Z');
    const { id } = await create({ command: ['sleep', '1000'] });
    const { id: run } = parse<Run>(await daemon.call('POST', `${path}/${id}/run`));

    await daemon.call('DELETE', `${path}/${id}`);

    const left = parse<Run>(await daemon.call('GET', `/api/apps/${reference}/runs/${run}`));
    assert.deepEqual([left.status, left.schedule], ['running', null]);
    await daemon.call('POST', `/api/apps/${reference}/runs/${run}/cancel`);
  });

  it('is deleted together with its app', async () => {
    await at('2026-06-01T12:00:30Z');
    await create();

    await daemon.client.deleteApp({ params });
    await at('2026-06-01T12:05:00Z');

    const { schedules, runs } = daemon.core.store.get(
      unchecked<{
        schedules: number;
        runs: number;
      }>(`SELECT (SELECT count(*) FROM schedules WHERE app_id NOT IN (SELECT id FROM apps)) AS schedules,
              (SELECT count(*) FROM runs WHERE app_id NOT IN (SELECT id FROM apps)) AS runs`),
    ) ?? { schedules: -1, runs: -1 };
    assert.deepEqual([schedules, runs], [0, 0]);
  });

  it('is refused if the app has 50 schedules', async () => {
    for (let i = 0; i < 50; i++) await create();

    const { status, text } = await daemon.call('POST', path, { cron: '@daily', command: ['true'] });

    assert.deepEqual([status, /50 schedules/.test(text)], [409, true]);
  });

  for (const [fields, field] of [
    [{ cron: undefined }, 'cron'],
    [{ cron: '* * * *' }, 'cron'],
    [{ cron: '0 * * * * *' }, 'cron'],
    [{ cron: '@reboot' }, 'cron'],
    [{ cron: '2026-01-01T00:00:00' }, 'cron'],
    [{ cron: '61 * * * *' }, 'cron'],
    [{ cron: '0 0 31 2 *' }, 'cron'],
    [{ cron: '0 0 30 2 *', enabled: false }, 'cron'],
    [{ cron: `${'1,'.repeat(200)}1 * * * *` }, 'cron'],
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ time_zone: '+02:00' }, 'time_zone'],
    [{ time_zone: '' }, 'time_zone'],
    [{ time_zone: null }, 'time_zone'],
    [{ command: [] }, 'command'],
    [{ command: 'ls -l' }, 'command'],
    [{ timeout_s: 0 }, 'timeout_s'],
    [{ enabled: 'yes' }, 'enabled'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ at: '03:00' }, 'at'],
  ] as const) {
    it(`is refused with ${JSON.stringify(fields).slice(0, 50)} on creation and on update`, async () => {
      const body = { cron: '@daily', command: ['true'], ...fields };

      const made = await daemon.call('POST', path, body);

      assert.equal(made.status, 400, made.text);
      assert.ok(made.text.startsWith(`${field}: `), made.text);
      assert.deepEqual(parse(await daemon.call('GET', path)), []);
      if (Object.values(fields).some((value) => value === undefined || value === null)) return;
      const before = await create();
      assert.equal((await daemon.call('PATCH', `${path}/${before.id}`, fields)).status, 400);
      assert.deepEqual(await read(before.id), before);
    });
  }

  it('cannot be changed by a viewer or read by an outsider', async () => {
    const { id } = await create();
    const viewer = user(daemon, 'viewer');
    const stranger = user(daemon, 'member', []);
    const other = (await deployedApp(daemon)).app.reference;

    assert.equal((await daemon.call('GET', path, undefined, viewer.key)).status, 200);
    assert.equal((await daemon.call('GET', path, undefined, stranger.key)).status, 404);
    for (const [method, at, body] of [
      ['POST', path, { cron: '@daily', command: ['true'] }],
      ['PATCH', `${path}/${id}`, { enabled: false }],
      ['DELETE', `${path}/${id}`, undefined],
      ['POST', `${path}/${id}/run`, undefined],
    ] as const) {
      assert.equal((await daemon.call(method, at, body, viewer.key)).status, 403);
      assert.equal((await daemon.call(method, at, body, stranger.key)).status, 404);
    }
    assert.equal((await daemon.call('GET', `/api/apps/${other}/schedules/${id}`)).status, 404);
    assert.equal((await daemon.call('POST', `/api/apps/${other}/schedules/${id}/run`)).status, 404);
    assert.equal((await daemon.call('GET', `${path}/none/runs`)).status, 404);
  });
});
