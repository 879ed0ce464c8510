import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AppMetrics, MetricEvent } from '@davit/api';
import { figureRows, trafficOf, usageOf } from './app-figures.ts';

const BEGIN = Date.parse('2026-01-01T00:00:00Z');
const at = (seconds: number) => new Date(BEGIN + seconds * 1_000).toISOString();

/** A window of three steps of ten seconds. The middle step has no measurement. */
const METRICS: AppMetrics = {
  window: '1h',
  step_s: 10,
  samples: [sample(10, 5), sample(20, null), sample(30, 15)],
  traffic: { step_s: 10, samples: [trafficSample(10, 2), trafficSample(20, null), trafficSample(30, 0)] },
};

function sample(seconds: number, cpu: number | null): AppMetrics['samples'][number] {
  const [memory, limit] = cpu === null ? [null, null] : [100, 400];
  const used = { cpu_percent: cpu, memory_bytes: memory, memory_limit_bytes: limit };
  return { at: at(seconds), ...used, received_bytes_per_s: cpu, sent_bytes_per_s: cpu, replicas: cpu && 1 };
}

function trafficSample(seconds: number, rate: number | null): AppMetrics['traffic']['samples'][number] {
  const shares = { client_error_share: null, server_error_share: rate ? 0.25 : null };
  const times = { p50_ms: null, p95_ms: rate && 40, p99_ms: null };
  const rest = { sent_bytes_per_s: 0, missed: 0, sampled: false, sample_factor: 1 };
  return { at: at(seconds), requests: rate && rate * 10, requests_per_s: rate, ...shares, ...times, ...rest };
}

function event(seconds: number, cpu: number): MetricEvent {
  const net = { received_bytes_per_s: 1, sent_bytes_per_s: 1 };
  const errors = { client_error_share: null, server_error_share: 0.5 };
  const rest = { memory_bytes: 200, replicas: 1, requests_per_s: 7, p95_ms: 90 };
  return { at: at(seconds), app: 'shop/production/web', cpu_percent: cpu, ...net, ...errors, ...rest };
}

describe('metric series of an app', () => {
  it('returns null for steps without a measurement and keeps measured zeros', () => {
    assert.deepEqual(usageOf(METRICS, []).cpu, [5, null, 15]);
    assert.deepEqual(trafficOf(METRICS, []).rate, [2, null, 0]);
    assert.deepEqual(trafficOf(METRICS, []).serverErrors, [25, null, null]);
  });

  it('spans the time from the window’s start to the newest step', () => {
    const { from, to } = usageOf(METRICS, []);
    assert.deepEqual([from, to], [BEGIN / 1_000, BEGIN / 1_000 + 30]);
  });

  it('appends values from metric events and moves the window forward', () => {
    const usage = usageOf(METRICS, [event(32, 20), event(38, 30), event(44, 50)]);
    assert.deepEqual(usage.cpu, [5, null, 15, 25, 50]);
    assert.deepEqual(usage.memory.slice(3), [200, 200]);
    assert.deepEqual(usage.limit.slice(3), [400, 400]);
    assert.deepEqual(
      usage.at.map((seconds) => seconds - BEGIN / 1_000),
      [10, 20, 30, 40, 44],
    );
    assert.equal(usage.from, usage.to - 30);
  });

  it('leaves a gap between distant events and skips already measured steps', () => {
    const events = [event(10, 99), event(30, 99), event(31, 20), event(60, 40)];
    assert.deepEqual(usageOf(METRICS, events).cpu, [5, null, 15, 20, null, 40]);
    assert.deepEqual(trafficOf(METRICS, events).p95, [40, null, 0, 90, null, 90]);
    assert.deepEqual(trafficOf(METRICS, events).p50, [null, null, null, null, null, null]);
  });

  it('shows live events of an app without stored metrics', () => {
    const none = { ...METRICS, samples: [], traffic: { step_s: 10, samples: [] } };
    assert.deepEqual(usageOf(none, [event(32, 20)]).cpu, [20]);
    assert.deepEqual(usageOf(none, []).at, []);
  });

  it('has no error percentage without requests', () => {
    const none = { ...event(32, 20), requests_per_s: 0, server_error_share: 1 };
    assert.deepEqual(trafficOf(METRICS, [none]).serverErrors, [25, null, null, null]);
  });

  it('weights error percentages by the number of requests', () => {
    const failed = { ...event(32, 20), requests_per_s: 1, server_error_share: 1 };
    const good = { ...event(38, 20), requests_per_s: 9, server_error_share: 0 };
    const traffic = trafficOf(METRICS, [failed, good]);
    assert.equal(traffic.serverErrors.at(-1), 10);
    assert.equal(figureRows(usageOf(METRICS, [failed, good]), traffic, 3)[0]?.serverErrors, 10);
  });

  it('keeps request rates that the API rounds to zero', () => {
    const one = { ...trafficSample(30, 2), requests: 1, requests_per_s: 0 };
    const traffic = trafficOf({ ...METRICS, traffic: { step_s: 1_800, samples: [one] } }, []);
    assert.deepEqual([traffic.rate, traffic.serverErrors], [[1 / 1_800], [25]]);
  });

  it('lists the metrics as table rows from newest to oldest', () => {
    const rows = figureRows(usageOf(METRICS, []), trafficOf(METRICS, []), 3);
    assert.deepEqual(
      rows.map(({ cpu, rate, memory }) => [cpu, rate, memory]),
      [
        [15, 0, 100],
        [null, null, null],
        [5, 2, 100],
      ],
    );
  });
});
