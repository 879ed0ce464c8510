import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { User } from '@davit/api';
import { projectsInWords, RIGHTS, whyLastAdmin } from './rights.ts';

const user = (username: string, more: Partial<User> = {}): User => ({
  username,
  role: 'admin',
  projects: null,
  blocked: false,
  created_at: '2026-01-01T00:00:00.000Z',
  last_seen_at: null,
  ...more,
});

describe('last admin', () => {
  const ada = user('ada');

  it('cannot be deleted, blocked, demoted or limited to projects', () => {
    const others = [
      ada,
      user('bob', { role: 'member' }),
      user('cyd', { blocked: true }),
      user('dan', { projects: [] }),
    ];
    for (const next of [
      null,
      { ...ada, blocked: true },
      { ...ada, role: 'member' as const },
      { ...ada, projects: [] },
    ]) {
      assert.match(whyLastAdmin(ada, others, next) ?? '', /^ada is the last admin with access to all projects/);
    }
    assert.equal(whyLastAdmin(ada, others, { ...ada }), null);
  });

  it('can be deleted while another full admin exists', () => {
    assert.equal(whyLastAdmin(ada, [ada, user('bob')], null), null);
  });

  it('does not include an admin limited to certain projects', () => {
    const limited = user('bob', { projects: ['shop'] });
    assert.equal(whyLastAdmin(limited, [limited], null), null);
  });
});

it('describes the projects of a user in words', () => {
  assert.equal(projectsInWords(null), 'all projects');
  assert.equal(projectsInWords([]), 'no project');
  assert.equal(projectsInWords(['shop', 'blog']), 'shop and blog');
});

it('gives admins every permission and all roles the read permission', () => {
  assert.ok(RIGHTS.every(({ roles }) => roles.includes('admin')));
  assert.deepEqual(RIGHTS.find(({ permission }) => permission === 'read')?.roles, ['viewer', 'member', 'admin']);
});
