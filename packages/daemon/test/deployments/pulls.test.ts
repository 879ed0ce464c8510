/** The pulls of one project take turns. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { patience, until } from '@davit/testkit/waiting';
import { lookUp } from '../../src/authorization/lookup.ts';
import { DEPLOY_LIMITS } from '../../src/resources/deployments/work.ts';
import { createProject } from '../../src/resources/projects/project.ts';
import { World } from '../support/world.ts';

const NAMES = ['one', 'two', 'three'] as const;

/** Creates three apps of one project. The pulls of the first two wait at gates, and the third waits for its turn. */
async function crowded() {
  const world = await World.with();
  const gates = NAMES.map(() => world.engine.controls.pause('pullImage'));
  const requests: number[] = [];
  for (const name of NAMES) {
    world.addApp(name, { image: `acme/${name}` });
    requests.push(await world.request({ tag: 'v1' }, name));
  }
  await Promise.all(gates.slice(0, 2).map(({ reached }) => reached));
  const [first, second, third] = requests as [number, number, number];
  await until('the third deployment is at its pull', () => world.row(third).phase === 'pulling');
  const openGates = () => gates.forEach((gate) => void gate.open());
  return { world, gates, openGates, first, second, third };
}

test('a third image pull of a project waits, and its timeout starts with the pull', async (t) => {
  const timeouts = t.mock.method(AbortSignal, 'timeout');
  const limits = () => timeouts.mock.calls.filter(({ arguments: [ms] }) => ms === DEPLOY_LIMITS.pullMs).length;
  const { world, gates, openGates, first, third } = await crowded();
  await using _ = world;
  assert.deepEqual([world.engine.controls.count('pullImage'), limits()], [2, 2]);

  gates[0]?.open();
  await world.machine.ended(first, patience());
  await gates[2]?.reached;
  assert.deepEqual([world.engine.controls.count('pullImage'), limits()], [3, 3]);

  openGates();
  await world.machine.ended(third, patience());
  assert.deepEqual(world.statuses(), ['succeeded', 'succeeded', 'succeeded']);
});

test('an image pull does not wait for the pulls of another project', async () => {
  const { world, gates, openGates, third } = await crowded();
  await using _ = world;
  gates[2]?.open();
  createProject(world.core, world.ctx, { slug: 'blog' });
  world.addApp('web', { project: 'blog', image: 'acme/blog' });
  const params = { project: 'blog', environment: 'production', app: 'web' };
  const app = lookUp(world.core.store, world.ctx.actor, 'operate', 'app', params);

  const id = await world.machine.request(app, { tag: 'v1', trigger: { kind: 'api', by: 'ada', via: 'api' } });
  await world.machine.ended(id, patience());

  assert.deepEqual([world.row(id).status, world.row(third).status], ['succeeded', 'running']);
  openGates();
});

test('cancels a deployment that waits for its pull without starting the pull', async () => {
  const { world, openGates, third } = await crowded();
  await using _ = world;

  await world.machine.cancel(third);

  assert.equal(world.row(third).status, 'cancelled');
  assert.equal(world.engine.controls.count('pullImage'), 2);
  openGates();
  await world.machine.settled();
  assert.deepEqual(world.statuses(), ['succeeded', 'succeeded', 'cancelled']);
});
