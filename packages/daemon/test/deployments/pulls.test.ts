/** Tests the limit of concurrent image pulls for each project. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { patience, until } from '@davit/testkit/waiting';
import { lookUp } from '../../src/authorization/lookup.ts';
import { DEPLOY_LIMITS } from '../../src/resources/deployments/work.ts';
import { createProject } from '../../src/resources/projects/project.ts';
import { Harness } from '../support/harness.ts';

const NAMES = ['one', 'two', 'three'] as const;

/** Creates three apps of one project. The pulls of the first two wait at gates, and the third waits for its turn. */
async function crowded() {
  const harness = await Harness.with();
  const gates = NAMES.map(() => harness.engine.controls.pause('pullImage'));
  const requests: number[] = [];
  for (const name of NAMES) {
    harness.addApp(name, { image: `acme/${name}` });
    requests.push(await harness.request({ tag: 'v1' }, name));
  }
  await Promise.all(gates.slice(0, 2).map(({ reached }) => reached));
  const [first, second, third] = requests as [number, number, number];
  await until('the third deployment is at its pull', () => harness.row(third).phase === 'pulling');
  const openGates = () => gates.forEach((gate) => void gate.open());
  return { world: harness, gates, openGates, first, second, third };
}

test('a third image pull of a project waits, and its timeout starts with the pull', async (t) => {
  const timeouts = t.mock.method(AbortSignal, 'timeout');
  const limits = () => timeouts.mock.calls.filter(({ arguments: [ms] }) => ms === DEPLOY_LIMITS.pullMs).length;
  const { world: harness, gates, openGates, first, third } = await crowded();
  await using _ = harness;
  assert.deepEqual([harness.engine.controls.count('pullImage'), limits()], [2, 2]);

  gates[0]?.open();
  await harness.machine.ended(first, patience());
  await gates[2]?.reached;
  assert.deepEqual([harness.engine.controls.count('pullImage'), limits()], [3, 3]);

  openGates();
  await harness.machine.ended(third, patience());
  assert.deepEqual(harness.statuses(), ['succeeded', 'succeeded', 'succeeded']);
});

test('an image pull does not wait for the pulls of another project', async () => {
  const { world: harness, gates, openGates, third } = await crowded();
  await using _ = harness;
  gates[2]?.open();
  createProject(harness.core, harness.ctx, { slug: 'blog' });
  harness.addApp('web', { project: 'blog', image: 'acme/blog' });
  const params = { project: 'blog', environment: 'production', app: 'web' };
  const app = lookUp(harness.core.store, harness.ctx.actor, 'operate', 'app', params);

  const id = await harness.machine.request(app, { tag: 'v1', trigger: { kind: 'api', by: 'ada', via: 'api' } });
  await harness.machine.ended(id, patience());

  assert.deepEqual([harness.row(id).status, harness.row(third).status], ['succeeded', 'running']);
  openGates();
});

test('cancels a deployment that waits for its pull without starting the pull', async () => {
  const { world: harness, openGates, third } = await crowded();
  await using _ = harness;

  await harness.machine.cancel(third);

  assert.equal(harness.row(third).status, 'cancelled');
  assert.equal(harness.engine.controls.count('pullImage'), 2);
  openGates();
  await harness.machine.settled();
  assert.deepEqual(harness.statuses(), ['succeeded', 'succeeded', 'cancelled']);
});
