import assert from 'node:assert/strict';
import test from 'node:test';
import type { DavitError } from '@davit/api';
import { CoreWorld, refusal } from '../../test/support/core-world.ts';
import type { OpContext } from '../auth/context.ts';
import { deleteApp } from '../resources/apps/settings.ts';
import { createProject } from '../resources/projects/project.ts';
import { lookUp } from './lookup.ts';

const WEB = { project: 'shop', environment: 'production', app: 'web' };

function messageOf(world: CoreWorld, ctx: OpContext, params: Record<string, string>, scope: 'project' | 'app'): string {
  try {
    lookUp(world.core.store, ctx.actor, 'administer', scope, params);
  } catch (error) {
    return `${(error as DavitError).code}: ${(error as Error).message}`;
  }
  return 'found';
}

test('lookUp finds an app with its reference, settings and revision', () => {
  using world = CoreWorld.withApp({ tag: 'v1' });

  const app = lookUp(world.core.store, world.admin.actor, 'operate', 'app', WEB);

  assert.equal(app.reference, 'shop/production/web');
  assert.equal(app.spec.tag, 'v1');
  assert.equal(app.revision, 1);
});

test('lookUp returns the same error for missing and invisible resources', () => {
  using world = CoreWorld.withApp();
  createProject(world.core, world.admin, { slug: 'other' });
  const limited = world.as('member', ['other']);

  for (const scope of ['project', 'app'] as const) {
    const invisible = messageOf(world, limited, WEB, scope);
    const missing = messageOf(world, limited, { ...WEB, project: 'nowhere' }, scope);
    assert.equal(invisible, missing);
    assert.match(invisible, /^not_found: /);
  }
});

test('lookUp refuses a role that is too low and names the required role', () => {
  using world = CoreWorld.withApp();
  const { actor } = world.as('viewer');

  assert.throws(
    () => lookUp(world.core.store, actor, 'operate', 'app', WEB),
    refusal('forbidden', /role member.*viewer/),
  );
  assert.throws(() => lookUp(world.core.store, actor, 'administer', 'instance', {}), refusal('forbidden', /admin/));
  assert.equal(lookUp(world.core.store, actor, 'read', 'instance', {}), null);
});

test('lookUp does not find a deleted app', async () => {
  using world = CoreWorld.withApp();

  await deleteApp(world.core, world.admin, world.app());

  assert.throws(() => world.app(), refusal('not_found'));
});

test('lookUp finds a deployment only by its exact number and app', () => {
  using world = CoreWorld.withApp();
  world.addApp('api');
  const id = world.release();
  const find = (app: string, deployment: string) =>
    lookUp(world.core.store, world.admin.actor, 'read', 'deployment', { ...WEB, app, deployment });

  assert.equal(find('web', `${id}`).deployment.id, id);
  for (const wrong of ['0', '-1', '1.0', '01', 'x', '', '9'.repeat(40), `${id + 1}`, ` ${id}`]) {
    assert.throws(() => find('web', wrong), refusal('not_found'), wrong);
  }
  assert.throws(() => find('api', `${id}`), refusal('not_found'));
});
