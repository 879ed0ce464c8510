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

describe('deployment timeline', () => {
  it('places a bar for each step by start time and duration', () => {
    const steps = [step('resolve', 0, 250), step('pull', 250, 1_000)];
    const [first, second] = rows({ steps, status: 'succeeded', phase: null, finished_at: at(1_000) });
    assert.deepEqual([first?.from, first?.length, first?.durationMs], [0, 25, 250]);
    assert.deepEqual([second?.from, second?.length, second?.state], [25, 75, 'done']);
  });

  it('extends the running step and shows upcoming steps', () => {
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

  it('shows no upcoming steps after the end and marks the interrupted step', () => {
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

  it('keeps every bar visible and within the timeline', () => {
    const steps = [step('resolve', 0, 10_000), step('switch', 10_000, 10_000)];
    for (const { from, length } of rows({ steps, status: 'succeeded', phase: null, finished_at: at(10_000) })) {
      assert.ok(from >= 0 && length > 0 && from + length <= 100, `${from} ${length}`);
    }
  });

  it('shows no negative duration if the browser’s clock is behind', () => {
    const steps = [step('resolve', 0, 900), step('pull', 900, null)];
    const [first, second] = rows({ steps }, BEGIN - 60_000);
    assert.deepEqual([first?.durationMs, second?.durationMs], [900, 0]);
  });

  it('lists all steps as upcoming for a pending deployment', () => {
    const waiting = rows({ status: 'pending', phase: null, started_at: null });
    assert.deepEqual(
      waiting.map(({ name }) => name),
      AHEAD,
    );
  });
});

describe('stepsAhead', () => {
  const app = { release_command: null, volumes: [], tcp_ports: [], live_deployment: 1 };
  it('includes the release and stop-old steps depending on the app’s configuration', () => {
    assert.ok(!stepsAhead(app).includes('release'));
    assert.ok(stepsAhead({ ...app, release_command: ['migrate'] }).includes('release'));
    assert.ok(!stepsAhead(app).includes('stop-old'));
    const volumes = [{ id: 1, path: '/data', name: 'data' }];
    assert.ok(stepsAhead({ ...app, volumes }).includes('stop-old'));
    assert.ok(!stepsAhead({ ...app, volumes, live_deployment: null }).includes('stop-old'));
  });
});

describe('newestMoment', () => {
  it('returns the latest step time or the end of the known duration', () => {
    assert.equal(newestMoment(deployment({ steps: [step('resolve', 0, 700)] })), BEGIN + 700);
    assert.equal(newestMoment(deployment({ duration_ms: 5_000 })), BEGIN + 5_000);
  });
});
