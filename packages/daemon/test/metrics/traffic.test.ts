/** Tests request metrics of apps, from the log lines of the proxy to the API. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccessLine } from '@davit/daemon/adapters/proxy/access-log.ts';
import { bootDaemon, type TestDaemon } from '@davit/testkit';

const SHOP = { project: 'shop', environment: 'production', app: 'web' };
const BEGIN = Date.parse('2026-01-01T00:00:00Z');

/** Returns a daemon with one app, whose time only tests advance. */
async function booted(): Promise<{ daemon: TestDaemon; clock: { now: number } }> {
  const clock = { now: BEGIN };
  const daemon = await bootDaemon({ now: () => clock.now });
  await daemon.client.createProject({ body: { slug: 'shop' } });
  await daemon.client.createApp({ body: { project: 'shop', name: 'web', source: 'image', image: 'acme/web' } });
  await daemon.client.deployApp({ params: SHOP, query: { wait: 'true' }, body: { tag: 'v1' } });
  return { daemon, clock };
}

function lines(at: number, answers: Partial<AccessLine>[], from = 0): AccessLine[] {
  const usual = { process: 1, slot: 1, at, status: 200, ms: 5, bytes: 1_000, sampled: false, host: 'a.example' };
  return answers.map((fields, n) => ({ ...usual, lines: from + n + 1, requests: from + n + 1, ...fields }));
}

describe('request metrics of apps', () => {
  it('include request counts, error shares and latencies for each step', async () => {
    const { daemon, clock } = await booted();
    await using _ = daemon;
    const slow = Array.from({ length: 6 }, () => ({ ms: 200 }));
    const failed = [{ status: 404 }, { status: 500 }, { status: 503, ms: null }, {}];

    daemon.accessLog.tell(lines(clock.now, [...slow, ...failed]));
    clock.now += 15_000;
    const { traffic } = await daemon.client.getAppMetrics({ params: SHOP, query: {} });

    assert.equal(traffic.step_s, 10);
    assert.equal(traffic.samples.length, 360);
    assert.deepEqual(traffic.samples.at(-1), {
      at: '2026-01-01T00:00:10.000Z',
      requests: 10,
      requests_per_s: 1,
      client_error_share: 0.1,
      server_error_share: 0.2,
      p50_ms: 200,
      p95_ms: 200,
      p99_ms: 200,
      sent_bytes_per_s: 1_000,
      missed: 0,
      sampled: false,
      sample_factor: 1,
    });
    assert.equal(traffic.samples.at(-2)?.requests, null);
  });

  it('report the sample factor if requests were sampled', async () => {
    const { daemon, clock } = await booted();
    await using _ = daemon;
    const sampledLines = lines(clock.now, [{}, {}, { status: 500 }, {}]).map((line) => {
      return { ...line, sampled: true, requests: line.lines * 5 };
    });

    daemon.accessLog.tell(sampledLines);
    clock.now += 15_000;
    const { traffic } = await daemon.client.getAppMetrics({ params: SHOP, query: {} });

    const { requests, sampled, sample_factor, server_error_share, sent_bytes_per_s } = traffic.samples.at(-1) ?? {};
    assert.deepEqual({ requests, sampled, sample_factor }, { requests: 20, sampled: true, sample_factor: 5 });
    assert.equal(server_error_share, 0.25);
    assert.equal(sent_bytes_per_s, 2_000);
  });

  it('survive a restart, and requests during the downtime count as missed', async () => {
    const { daemon, clock } = await booted();
    await using _ = daemon;
    daemon.accessLog.tell(lines(clock.now, [{}, {}]));
    await daemon.stop();
    clock.now += 30_000;
    await daemon.start();

    daemon.accessLog.tell(lines(clock.now, [{}], 7));
    clock.now += 15_000;
    const { traffic } = await daemon.client.getAppMetrics({ params: SHOP, query: {} });

    const seen = traffic.samples.filter(({ requests }) => requests !== null && requests > 0);
    assert.deepEqual(
      seen.map(({ requests, missed }) => [requests, missed]),
      [
        [2, 0],
        [1, 5],
      ],
    );
  });

  it('are exported in the Prometheus format', async () => {
    const { daemon, clock } = await booted();
    await using _ = daemon;
    daemon.accessLog.tell(lines(clock.now, [{}, { ms: 30 }, { ms: 99_999 }, { status: 502, ms: null }]));

    const { text } = await daemon.send({ path: '/metrics', headers: { authorization: `Bearer ${daemon.key}` } });

    const app = 'project="shop",environment="production",app="web"';
    for (const expected of [
      `davit_app_requests_total{${app},status="2xx"} 3`,
      `davit_app_requests_total{${app},status="5xx"} 1`,
      `davit_app_requests_missed_total{${app}} 0`,
      `davit_app_request_duration_seconds_bucket{${app},le="0.005"} 1`,
      `davit_app_request_duration_seconds_bucket{${app},le="0.05"} 2`,
      `davit_app_request_duration_seconds_bucket{${app},le="10"} 2`,
      `davit_app_request_duration_seconds_bucket{${app},le="+Inf"} 3`,
      `davit_app_request_duration_seconds_count{${app}} 3`,
    ]) {
      assert.ok(text.split('\n').includes(expected), expected);
    }
  });
});
