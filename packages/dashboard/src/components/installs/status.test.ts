import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TemplateInstall } from '@davit/api';
import { isThere, whyNotNow } from './status.ts';

const install = (more: Partial<TemplateInstall>) =>
  ({ status: 'installed', task: null, previous_release: null, resources: [], ...more }) as TemplateInstall;

const possible = (one: TemplateInstall) =>
  Object.entries(whyNotNow(one)).flatMap(([deed, because]) => (because === null ? [deed] : []));

describe('an installation', () => {
  it('is updated and removed while it is there, and goes back where it came from', () => {
    assert.deepEqual(possible(install({})), ['update', 'uninstall']);
    assert.deepEqual(possible(install({ previous_release: 'v1' })), ['update', 'rollback', 'uninstall']);
  });

  it('is left alone while a task is at work on it', () => {
    assert.deepEqual(possible(install({ status: 'updating', task: 7 })), []);
    assert.match(whyNotNow(install({ status: 'updating', task: 7 })).update ?? '', /Task 7/);
  });

  it('that failed is tried again, and removed where something of it is left', () => {
    assert.deepEqual(possible(install({ status: 'failed' })), ['retry']);
    const left = [{ kind: 'app', key: 'web', name: 'web', reference: 'a/b/web', state: 'made' }] as const;
    assert.deepEqual(possible(install({ status: 'failed', resources: [...left] })), ['retry', 'uninstall']);
  });

  it('that is uninstalled is over', () => {
    assert.deepEqual(possible(install({ status: 'uninstalled', previous_release: 'v1' })), []);
    assert.ok(!isThere('uninstalled'));
  });
});
