/**
 * Measures the response time of `POST deploy`, which answers with 202 when the deployment is stored on disk. Uses the
 * real engine. Half of the requests are sent while no other deployment runs, and half while another app is deployed.
 */
import type { Deployment } from '@davit/api';
import { type AppParams, startInstance } from '../test/support/instance.ts';
import { TEST_APP_PORT, testAppImage } from '../test/support/test-app-image.ts';
import { conclude, formOf, median, quantile, rounded, say } from './support/result.ts';

const SAMPLES = { short: 8, usual: 60, long: 200 };
const LIMIT_MS = 30;
const APP: AppParams = { project: 'bench', environment: 'production', app: 'web' };
const OTHER: AppParams = { ...APP, app: 'other' };

const form = formOf();
await using instance = await startInstance();
const image = await testAppImage(instance.docker);
for (const params of [APP, OTHER]) {
  await instance.createApp(params, { image, port: TEST_APP_PORT });
  await instance.deploy(params, 'v1');
}

async function accept(params: AppParams, turn: number): Promise<{ id: string; ms: number }> {
  const from = performance.now();
  const { id } = (await instance.client.deployApp({
    params,
    body: { tag: turn % 2 === 0 ? 'v1' : 'v2' },
  })) as Deployment;
  return { id: String(id), ms: performance.now() - from };
}

async function ended(params: AppParams, deployment: string): Promise<void> {
  const { status, error } = await instance.client.getDeployment({
    params: { ...params, deployment },
    query: { wait: 'true' },
  });
  if (status !== 'succeeded') throw new Error(`deployment ${deployment} ${status}: ${error}`);
}

const idle: number[] = [];
const busy: number[] = [];
for (let turn = 0; turn < SAMPLES[form]; turn += 1) {
  const other = turn % 2 === 0 ? null : await accept(OTHER, turn);
  const { id, ms } = await accept(APP, turn);
  (other === null ? idle : busy).push(ms);
  await Promise.all([ended(APP, id), other && ended(OTHER, other.id)]);
  await Promise.all([instance.atRest(APP), instance.atRest(OTHER)]);
}
say(`idle: ${idle.map((ms) => ms.toFixed(1)).join(' ')}`);
say(`busy: ${busy.map((ms) => ms.toFixed(1)).join(' ')}`);

const all = [...idle, ...busy];
const p95 = quantile(all, 0.95);
await conclude(
  {
    name: 'deploy-accept',
    promise: 'Response time of a deployment request, p95',
    limit: `≤ ${LIMIT_MS} ms`,
    value: rounded(p95),
    unit: 'ms',
    ok: p95 <= LIMIT_MS,
    details: {
      samples: `${all.length}: ${idle.length} with no other deployment, ${busy.length} while another app is deployed`,
      median_ms: rounded(median(all)),
      idle: { median_ms: rounded(median(idle)), p95_ms: rounded(quantile(idle, 0.95)) },
      busy: { median_ms: rounded(median(busy)), p95_ms: rounded(quantile(busy, 0.95)) },
      slowest_ms: rounded(Math.max(...all)),
      durability: 'SQLite in WAL mode with synchronous=FULL on the disk of the temporary folder',
    },
  },
  form,
);
