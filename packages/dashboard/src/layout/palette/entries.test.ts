import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { App, Project, Role } from '@davit/api';
import { entriesOf } from './entries.ts';

const projects: Project[] = [{ slug: 'shop', environments: ['production'], created_at: '2026-01-01T00:00:00Z' }];
// The code under test uses only these fields.
const apps = [{ project: 'shop', environment: 'production', name: 'web', reference: 'shop/production/web' }] as App[];
const entries = (role: Role) => entriesOf({ role, projects, apps });
const find = (role: Role, text: string) => entries(role).find((entry) => entry.text === text);

describe('command palette', () => {
  it('lists pages, projects, environments, apps and app logs', () => {
    for (const text of ['Overview', 'shop', 'shop/production', 'shop/production/web', 'shop/production/web logs']) {
      assert.ok(find('viewer', text), text);
    }
  });

  it('opens a form for every action except sign-out and theme', () => {
    assert.deepEqual(find('member', 'Deploy shop/production/web…')?.does, {
      to: '/projects/shop/production/web',
      search: { deploy: '1' },
    });
    assert.deepEqual(find('member', 'Roll back shop/production/web…')?.does, {
      to: '/projects/shop/production/web',
      search: { rollback: 'previous' },
    });
    assert.deepEqual(find('member', 'New schedule for shop/production/web…')?.does, {
      to: '/projects/shop/production/web/terminal',
      search: { tab: 'schedules', new: '1' },
    });
    for (const { does, kind } of entries('admin').filter((entry) => entry.kind === 'action')) {
      const isForm = typeof does === 'object' && 'to' in does && Object.keys(does.search ?? {}).length > 0;
      const isHarmless = does === 'sign out' || (typeof does === 'object' && 'theme' in does);
      assert.ok(isForm || isHarmless, `${kind}: ${JSON.stringify(does)}`);
    }
  });

  it('lists forbidden actions as disabled with the required role', () => {
    const names = (role: Role) => entries(role).map(({ text }) => text);
    assert.deepEqual(names('viewer'), names('admin'));
    assert.match(find('viewer', 'Deploy shop/production/web…')?.disabledBecause ?? '', /requires the role member/);
    assert.equal(find('member', 'Deploy shop/production/web…')?.disabledBecause, null);
    assert.match(find('member', 'New project…')?.disabledBecause ?? '', /requires the role admin/);
  });

  it('contains no two entries with the same text', () => {
    const names = entries('admin').map(({ text }) => text);
    assert.deepEqual(names, [...new Set(names)]);
  });
});
