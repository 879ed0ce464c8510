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

describe('the last admin', () => {
  const ada = user('ada');

  it('cannot be deleted, blocked, or made less', () => {
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

  it('is not the last while there is another', () => {
    assert.equal(whyLastAdmin(ada, [ada, user('bob')], null), null);
  });

  it('is nobody who is limited or blocked', () => {
    const limited = user('bob', { projects: ['shop'] });
    assert.equal(whyLastAdmin(limited, [limited], null), null);
  });
});

it('projects are said in words', () => {
  assert.equal(projectsInWords(null), 'all projects');
  assert.equal(projectsInWords([]), 'no project');
  assert.equal(projectsInWords(['shop', 'blog']), 'shop and blog');
});

it('every permission has a row, and admins have all of them', () => {
  assert.ok(RIGHTS.every(({ roles }) => roles.includes('admin')));
  assert.deepEqual(RIGHTS.find(({ permission }) => permission === 'read')?.roles, ['viewer', 'member', 'admin']);
});
