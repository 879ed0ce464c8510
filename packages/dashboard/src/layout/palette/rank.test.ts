import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { App, Project } from '@davit/api';
import { entriesOf } from './entries.ts';
import { ranked } from './rank.ts';

const REFERENCES = [
  'blog/production/site',
  'shop/staging/web',
  'shop/production/web',
  'shop/production/webhooks',
  'shop/canary/web',
  'blog/production/web',
  'shop/staging/worker',
];

const apps = REFERENCES.map((reference) => {
  const [project, environment, name] = reference.split('/');
  return { project, environment, name, reference };
  // The code under test uses only these fields.
}) as App[];
const projects: Project[] = [
  { slug: 'blog', environments: ['production'], created_at: '2026-01-01T00:00:00Z' },
  { slug: 'shop', environments: ['canary', 'production', 'staging'], created_at: '2026-01-01T00:00:00Z' },
];
const entries = entriesOf({ role: 'admin', projects, apps });

const found = (typed: string, visited: readonly string[] = []) =>
  ranked(typed, entries, visited).map(({ text }) => text);

describe('palette ranking', () => {
  it('lists apps with the exact name first, production before other environments', () => {
    assert.deepEqual(found('web').slice(0, 5), [
      'blog/production/web',
      'shop/production/web',
      'shop/canary/web',
      'shop/staging/web',
      'shop/production/webhooks',
    ]);
  });

  it('prefers recently visited apps within and outside production', () => {
    const visited = [
      '/projects/shop/staging/web',
      '/projects/shop/production/web/logs',
      '/projects/blog/production/web',
    ];
    assert.deepEqual(found('web', visited).slice(0, 4), [
      'shop/production/web',
      'blog/production/web',
      'shop/staging/web',
      'shop/canary/web',
    ]);
  });

  it('lists a resource before its parts and actions', () => {
    assert.equal(found('shop')[0], 'shop');
    assert.equal(found('shop/staging')[0], 'shop/staging');
    assert.equal(found('settings')[0], 'Settings');
    assert.equal(found('sho', ['/projects/shop/staging/web'])[0], 'shop');
  });

  it('prefers a better match over production and recent visits', () => {
    assert.equal(found('ssw', ['/projects/shop/production/web'])[0], 'shop/staging/web');
    assert.equal(found('deploy webh')[0], 'Deploy shop/production/webhooks…');
    assert.equal(found('web logs')[0], 'blog/production/web logs');
  });

  it('does not depend on the order of the entries', () => {
    const turned = ranked('web', entries.toReversed()).map(({ text }) => text);
    assert.deepEqual(turned, found('web'));
  });

  it('returns all entries unchanged without a search text', () => {
    assert.deepEqual(ranked(' ', entries), entries);
  });
});
