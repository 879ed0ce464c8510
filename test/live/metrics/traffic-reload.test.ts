/** Counters of a worker of a real proxy when another worker replaces it. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import { createAccessLogReader } from '../../../packages/daemon/src/adapters/proxy/haproxy/access-log-reader.ts';
import { TrafficCounts } from '../../../packages/daemon/src/resources/metrics/traffic-counts.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { backend, ProxyHarness, server, tableOf } from '../../support/proxy-harness.ts';

const skip = whyNoEngine() ?? false;

test('proxy traffic counters account for every request across a reload', { skip }, async () => {
  await using harness = await ProxyHarness.create();
  const waiting: ServerResponse[] = [];
  const app = createServer(({ url }, response) => {
    if (url === '/slow') waiting.push(response);
    else response.end();
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  const readerOptions = { port: await freePort(), token: 't0ken' };
  await using reader = createAccessLogReader(readerOptions);
  const counts = new TrafficCounts();
  const sum = { counted: 0, missed: 0 };
  await reader.start({
    take(lines) {
      for (const line of lines) {
        const growth = counts.follow(line, 1);
        sum.counted += growth?.requests ?? 0;
        sum.missed += growth?.missed ?? 0;
      }
    },
    settle(stands) {
      for (const stand of stands) sum.missed += counts.settle(stand, 1);
    },
  });
  const proxy = harness.connect({ accessLog: { ...readerOptions, settle: (stands) => reader.settle(stands) } });
  const { port } = app.address() as AddressInfo;
  const web = (slot: number) => backend(slot, [server({ name: 'i1', port })]);
  const send = (path = '/') => harness.get('app-1.localhost', { path });
  await proxy.ensure(tableOf(web(1)));

  const slow = Array.from({ length: 5 }, () => send('/slow'));
  await until('the slow ones are there', () => waiting.length === 5);
  for (let n = 0; n < 20; n += 1) await send();
  const { reloaded } = await proxy.sync(tableOf(web(1), web(9)));
  for (let n = 0; n < 20; n += 1) await send();
  for (const response of waiting) response.end();
  const statuses = (await Promise.all(slow)).map(({ status }) => status);
  await until('all requests are counted or missed', () => sum.counted + sum.missed === 45);
  app.close();

  assert.equal(reloaded, true);
  assert.ok(sum.counted >= 20, `${sum.counted} counted`);
  assert.deepEqual(new Set(statuses), new Set([200]));
});
