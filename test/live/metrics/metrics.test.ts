/** Resource use of real containers on a real instance, from the kernel to the API. */

import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { AppMetrics } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { testImage } from '../../support/docker-images.ts';
import { execute } from '../../support/docker-rig.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { inLong } from '../../support/tiers.ts';

const SHOP = { project: 'shop', environment: 'production', app: 'web' };
const MIB = 2 ** 20;

describe('the metrics of a live instance', () => {
  let instance: Instance;
  before(async () => {
    instance = await startInstance();
    await instance.client.patchSettings({ body: { metrics: { interval_s: 5 } } });
    const [image = '', tag = ''] = (await testImage(instance.docker, 'web')).split(':');
    await instance.createApp(SHOP, { image, port: 8080, scale: 2, limits: { memory_bytes: 64 * MIB } });
    const { status, error } = await instance.deploy(SHOP, tag);
    assert.equal(status, 'succeeded', error ?? '');
  });
  after(() => instance[Symbol.asyncDispose]());

  const measured = (what: string, holds: (sample: AppMetrics['samples'][number]) => boolean) =>
    until(what, async () => {
      const { samples } = await instance.client.getAppMetrics({ params: SHOP, query: { window: '1h' } });
      return samples.toReversed().find((sample) => sample.replicas !== null && holds(sample)) ?? null;
    });

  it('add up the values of all replicas of an app', async () => {
    const sample = await measured('both replicas are measured', ({ replicas }) => replicas === 2);

    assert.equal(sample.memory_limit_bytes, 128 * MIB);
    const memory = sample.memory_bytes ?? 0;
    assert.ok(memory > 0 && memory < 32 * MIB, `two idle servers use ${memory} bytes`);
    assert.ok((sample.cpu_percent ?? -1) >= 0);
  });

  it('show the processor use and received bytes of an app', inLong, async () => {
    const { replicas } = await instance.client.getApp({ params: SHOP });
    const container = instance.docker.getContainer(replicas[0]?.name ?? '');
    const { id } = await container.inspect().then(({ Id }) => ({ id: Id }));
    const busy = execute(instance.docker, id, ['timeout', '12', 'sh', '-c', 'while :; do :; done']);
    for (let n = 0; n < 200; n += 1) assert.equal(await statusOf(instance), 200);

    const computing = await measured('it computes', ({ cpu_percent }) => (cpu_percent ?? 0) > 15);
    await measured('it receives', ({ received_bytes_per_s }) => (received_bytes_per_s ?? 0) > 500);
    await busy;

    assert.ok((computing.cpu_percent ?? 0) < 110, `one loop takes ${computing.cpu_percent} %`);
  });

  it('are available to Prometheus at GET /metrics', async () => {
    const response = await fetch(`${instance.url}/metrics`, { headers: { authorization: `Bearer ${instance.key}` } });

    const text = await response.text();

    assert.equal(response.status, 200);
    assert.match(text, /^davit_app_memory_bytes\{project="shop",environment="production",app="web"\} [1-9]\d+$/m);
    assert.match(text, /^davit_engine_up 1$/m);
    assert.match(text, /^process_resident_memory_bytes \d+$/m);
  });

  it('include the server’s processor use, and app metrics survive a restart', inLong, async () => {
    const machine = await instance.client.getInstanceMetrics({ query: {} });
    assert.ok(machine.samples.some(({ cpu_percent: cpu }) => cpu !== null && cpu > 0));
    const before = await instance.client.getAppMetrics({ params: SHOP, query: {} });

    await instance.restart();

    const behind = await instance.client.getAppMetrics({ params: SHOP, query: {} });
    const kept = new Map(behind.samples.map((sample) => [sample.at, sample]));
    for (const sample of before.samples) if (sample.replicas !== null) assert.deepEqual(kept.get(sample.at), sample);
  });
});

/** Requests the page of the app through the proxy. */
function statusOf(instance: Instance): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const where = { host: '127.0.0.1', port: instance.httpPort, path: '/', headers: { host: instance.hostOf(SHOP) } };
  get(where, (response) => {
    response.resume();
    response.on('end', () => resolve(response.statusCode));
  }).on('error', reject);
  return promise;
}
