/** Requests to an app, from a real proxy to the metrics of a whole instance. */

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { TrafficSample } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { testAppImage } from '../../support/test-app-image.ts';
import { inLong } from '../../support/tiers.ts';

describe('the traffic counter of a live instance', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;
  let app: LiveApp;
  let agent: Agent;

  before(async () => {
    harness = await LiveHarness.create();
    app = await harness.deployedApp({ image: await testAppImage(harness.docker) });
    agent = new Agent({ keepAlive: true, maxSockets: 16 });
  });
  after(async () => {
    agent?.destroy();
    await harness?.[Symbol.asyncDispose]();
  });

  /** Sends requests, some of them concurrently, and returns their statuses. */
  async function send(count: number, path: string, host = app.host): Promise<number[]> {
    const sendOne = async () => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const to = { host: '127.0.0.1', port: harness.instance.httpPort, path, agent, headers: { host } };
      request(to, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      })
        .on('error', reject)
        .end();
      return promise;
    };
    return Promise.all(Array.from({ length: count }, sendOne));
  }

  async function samples(params = app.params): Promise<TrafficSample[]> {
    const { traffic } = await harness.client.getAppMetrics({ params, query: { window: '1h' } });
    return traffic.samples.filter(({ requests, missed }) => (requests ?? 0) + (missed ?? 0) > 0);
  }

  function sum(all: TrafficSample[], field: 'requests' | 'missed'): number {
    return all.reduce((total, sample) => total + (sample[field] ?? 0), 0);
  }

  /** Returns the samples as soon as they contain this many requests. */
  function counted(count: number, params = app.params): Promise<TrafficSample[]> {
    return until(
      `${count} requests are counted`,
      () => samples(params),
      (found) => sum(found, 'requests') + sum(found, 'missed') >= count,
    );
  }

  test('counts every request with its error class and duration', async () => {
    const other = await harness.deployedApp({ image: await testAppImage(harness.docker) });
    await Promise.all([
      send(150, '/', other.host),
      send(40, '/slow?ms=200', other.host),
      send(10, '/secret-path?token=secret', other.host),
    ]);
    await send(5, '/', 'unknown.example');

    const found = await counted(200, other.params);

    assert.equal(sum(found, 'requests'), 200);
    assert.equal(sum(found, 'missed'), 0);
    const share = (field: 'client_error_share' | 'server_error_share') =>
      found.reduce((total, sample) => total + (sample[field] ?? 0) * (sample.requests ?? 0), 0);
    assert.ok(Math.abs(share('client_error_share') - 10) < 0.1, `${share('client_error_share')} of 10`);
    assert.equal(share('server_error_share'), 0);
    const slowest = Math.max(...found.map(({ p99_ms }) => p99_ms ?? 0));
    assert.ok(slowest >= 187, `the slow ones took ${slowest} ms`);
    assert.ok(found.every(({ sampled }) => !sampled));
  });

  test('counts requests that arrive while the daemon is stopped', inLong, async () => {
    const before = sum(await samples(), 'requests');
    await harness.instance.stop();
    const statuses = await send(300, '/');
    await harness.instance.start();

    const found = await counted(before + 300);

    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(sum(found, 'requests') + sum(found, 'missed') - before, 300);
  });

  test('counts unrecorded requests as missed after the daemon is killed, with a correct total', inLong, async () => {
    const before = await samples();
    const known = sum(before, 'requests') + sum(before, 'missed');
    let sent = 0;
    const controller = new AbortController();
    const steady = (async () => {
      while (!controller.signal.aborted) {
        const statuses = await send(10, '/');
        assert.deepEqual(new Set(statuses), new Set([200]));
        sent += statuses.length;
      }
    })();
    await until(
      'some are sent',
      async () => sent,
      (count) => count >= 200,
    );
    await harness.instance.kill();
    const atKill = sent;
    await until(
      'more are sent',
      async () => sent,
      (count) => count >= atKill + 200,
    );
    await harness.instance.start();
    controller.abort();
    await steady;
    await send(1, '/');

    const found = await counted(known + sent + 1);

    assert.equal(sum(found, 'requests') + sum(found, 'missed'), known + sent + 1);
    assert.ok(sum(found, 'missed') <= atKill + 10 + known, `${sum(found, 'missed')} missed`);
  });

  test('counts requests to a stopped app as server errors', inLong, async () => {
    const down = await harness.deployedApp({ image: await testAppImage(harness.docker) });
    await harness.client.stopApp({ params: down.params });
    const statuses = await send(20, '/', down.host);

    const found = await counted(20, down.params);

    assert.deepEqual(new Set(statuses), new Set([503]));
    assert.ok(found.every(({ server_error_share, p50_ms }) => server_error_share === 1 && p50_ms === null));
  });
});
