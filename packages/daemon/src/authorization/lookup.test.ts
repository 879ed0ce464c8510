import assert from 'node:assert/strict';
import test from 'node:test';
import type { DavitError } from '@davit/api';
import { CoreHarness, refusal } from '../../test/support/core-harness.ts';
import type { OpContext } from '../auth/context.ts';
import { deleteApp } from '../resources/apps/settings.ts';
import { createProject } from '../resources/projects/project.ts';
import { lookUp } from './lookup.ts';

const WEB = { project: 'shop', environment: 'production', app: 'web' };

function messageOf(
  harness: CoreHarness,
  ctx: OpContext,
  params: Record<string, string>,
  scope: 'project' | 'app',
): string {
  try {
    lookUp(harness.core.store, ctx.actor, 'administer', scope, params);
  } catch (error) {
    return `${(error as DavitError).code}: ${(error as Error).message}`;
  }
  return 'found';
}

test('lookUp finds an app with its reference, settings and revision', () => {
  using harness = CoreHarness.withApp({ tag: 'v1' });

  const app = lookUp(harness.core.store, harness.admin.actor, 'operate', 'app', WEB);

  assert.equal(app.reference, 'shop/production/web');
  assert.equal(app.spec.tag, 'v1');
  assert.equal(app.revision, 1);
});

test('lookUp returns the same error for missing and invisible resources', () => {
  using harness = CoreHarness.withApp();
  createProject(harness.core, harness.admin, { slug: 'other' });
  const limited = harness.as('member', ['other']);

  for (const scope of ['project', 'app'] as const) {
    const invisible = messageOf(harness, limited, WEB, scope);
    const missing = messageOf(harness, limited, { ...WEB, project: 'nowhere' }, scope);
    assert.equal(invisible, missing);
    assert.match(invisible, /^not_found: /);
  }
});

test('lookUp refuses a role that is too low and names the required role', () => {
  using harness = CoreHarness.withApp();
  const { actor } = harness.as('viewer');

  assert.throws(
    () => lookUp(harness.core.store, actor, 'operate', 'app', WEB),
    refusal('forbidden', /role member.*viewer/),
  );
  assert.throws(() => lookUp(harness.core.store, actor, 'administer', 'instance', {}), refusal('forbidden', /admin/));
  assert.equal(lookUp(harness.core.store, actor, 'read', 'instance', {}), null);
});

test('lookUp does not find a deleted app', async () => {
  using harness = CoreHarness.withApp();

  await deleteApp(harness.core, harness.admin, harness.app());

  assert.throws(() => harness.app(), refusal('not_found'));
});

test('lookUp finds a deployment only by its exact number and app', () => {
  using harness = CoreHarness.withApp();
  harness.addApp('api');
  const id = harness.release();
  const find = (app: string, deployment: string) =>
    lookUp(harness.core.store, harness.admin.actor, 'read', 'deployment', { ...WEB, app, deployment });

  assert.equal(find('web', `${id}`).deployment.id, id);
  for (const wrong of ['0', '-1', '1.0', '01', 'x', '', '9'.repeat(40), `${id + 1}`, ` ${id}`]) {
    assert.throws(() => find('web', wrong), refusal('not_found'), wrong);
  }
  assert.throws(() => find('api', `${id}`), refusal('not_found'));
});
