import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deployment } from '@davit/api';
import { newestMoment, stepsAhead, timelineOf } from './timeline.ts';

const BEGIN = Date.parse('2026-01-01T00:00:00Z');
const at = (ms: number) => new Date(BEGIN + ms).toISOString();
const step = (name: string, from: number, to: number | null, error: string | null = null) => {
  return { name, started_at: at(from), finished_at: to === null ? null : at(to), error };
};

function deployment(fields: Partial<Deployment>): Deployment {
  const who = { trigger: { kind: 'api', by: 'ada', via: 'api' }, rollback_of: null, promoted_from: null } as const;
  const what = {
    id: 1,
    app: 'shop/production/web',
    tag: 'v1',
    image: 'web:v1',
    digest: null,
    revision: 1,
    live: false,
  };
  const state = {
    status: 'running',
    phase: 'pulling',
    error: null,
    error_code: null,
    image_missing: null,
    superseded_by: null,
  } as const;
  const times = { created_at: at(0), started_at: at(0), finished_at: null, duration_ms: null, has_logs: false };
  return { ...what, ...who, ...state, ...times, steps: [], ...fields };
}

const AHEAD = ['resolve', 'pull', 'start', 'switch'];
const rows = (fields: Partial<Deployment>, now = BEGIN + 1_000) => timelineOf(deployment(fields), AHEAD, now);

describe('the timeline of a deployment', () => {
  it('has a bar for each step, where and as long as it was', () => {
    const steps = [step('resolve', 0, 250), step('pull', 250, 1_000)];
    const [first, second] = rows({ steps, status: 'succeeded', phase: null, finished_at: at(1_000) });
    assert.deepEqual([first?.from, first?.length, first?.durationMs], [0, 25, 250]);
    assert.deepEqual([second?.from, second?.length, second?.state], [25, 75, 'done']);
  });

  it('grows while a step runs, and shows what is ahead', () => {
    const steps = [step('resolve', 0, 500), step('pull', 500, null)];
    const states = rows({ steps }, BEGIN + 1_000).map(({ name, state, durationMs }) => [name, state, durationMs]);
    assert.deepEqual(states, [
      ['resolve', 'done', 500],
      ['pull', 'running', 500],
      ['start', 'ahead', null],
      ['switch', 'ahead', null],
    ]);
    assert.equal(rows({ steps }, BEGIN + 2_500)[1]?.durationMs, 2_000);
  });

  it('has nothing ahead once it has ended, and says what it was cut off in', () => {
    const steps = [step('resolve', 0, 10), step('pull', 10, 20, 'no such image')];
    const failed = rows({ steps, status: 'failed', phase: null, finished_at: at(20) });
    assert.deepEqual(
      failed.map(({ state }) => state),
      ['done', 'failed'],
    );
    const cancelled = rows({ steps: [step('start', 0, null)], status: 'cancelled', phase: null, finished_at: at(50) });
    assert.deepEqual(
      cancelled.map(({ state, durationMs }) => [state, durationMs]),
      [['cut', 50]],
    );
  });

  it('keeps every bar inside and to be seen', () => {
    const steps = [step('resolve', 0, 10_000), step('switch', 10_000, 10_000)];
    for (const { from, length } of rows({ steps, status: 'succeeded', phase: null, finished_at: at(10_000) })) {
      assert.ok(from >= 0 && length > 0 && from + length <= 100, `${from} ${length}`);
    }
  });

  it('does not go back when the clock here is behind the server’s', () => {
    const steps = [step('resolve', 0, 900), step('pull', 900, null)];
    const [first, second] = rows({ steps }, BEGIN - 60_000);
    assert.deepEqual([first?.durationMs, second?.durationMs], [900, 0]);
  });

  it('of one that waits for another is all ahead', () => {
    const waiting = rows({ status: 'pending', phase: null, started_at: null });
    assert.deepEqual(
      waiting.map(({ name }) => name),
      AHEAD,
    );
  });
});

describe('the steps ahead', () => {
  const app = { release_command: null, volumes: [], tcp_ports: [], live_deployment: 1 };
  it('are those that the app takes', () => {
    assert.ok(!stepsAhead(app).includes('release'));
    assert.ok(stepsAhead({ ...app, release_command: ['migrate'] }).includes('release'));
    assert.ok(!stepsAhead(app).includes('stop-old'));
    const volumes = [{ id: 1, path: '/data', name: 'data' }];
    assert.ok(stepsAhead({ ...app, volumes }).includes('stop-old'));
    assert.ok(!stepsAhead({ ...app, volumes, live_deployment: null }).includes('stop-old'));
  });
});

describe('the newest moment of a record', () => {
  it('is the latest that it tells of, or how long it says to run', () => {
    assert.equal(newestMoment(deployment({ steps: [step('resolve', 0, 700)] })), BEGIN + 700);
    assert.equal(newestMoment(deployment({ duration_ms: 5_000 })), BEGIN + 5_000);
  });
});
