import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TemplateInstall } from '@davit/api';
import { isThere, whyNotNow } from './status.ts';

const install = (more: Partial<TemplateInstall>) =>
  ({ status: 'installed', task: null, previous_release: null, resources: [], ...more }) as TemplateInstall;

const possible = (one: TemplateInstall) =>
  Object.entries(whyNotNow(one)).flatMap(([deed, because]) => (because === null ? [deed] : []));

describe('installation actions', () => {
  it('allows update and uninstall, and rollback if a previous release exists', () => {
    assert.deepEqual(possible(install({})), ['update', 'uninstall']);
    assert.deepEqual(possible(install({ previous_release: 'v1' })), ['update', 'rollback', 'uninstall']);
  });

  it('refuses all actions while a task runs', () => {
    assert.deepEqual(possible(install({ status: 'updating', task: 7 })), []);
    assert.match(whyNotNow(install({ status: 'updating', task: 7 })).update ?? '', /Task 7/);
  });

  it('allows retry after a failure, and uninstall if resources remain', () => {
    assert.deepEqual(possible(install({ status: 'failed' })), ['retry']);
    const left = [{ kind: 'app', key: 'web', name: 'web', reference: 'a/b/web', state: 'made' }] as const;
    assert.deepEqual(possible(install({ status: 'failed', resources: [...left] })), ['retry', 'uninstall']);
  });

  it('allows no action after the uninstall', () => {
    assert.deepEqual(possible(install({ status: 'uninstalled', previous_release: 'v1' })), []);
    assert.ok(!isThere('uninstalled'));
  });
});
