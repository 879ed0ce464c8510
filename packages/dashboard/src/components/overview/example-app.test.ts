import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type App, EXAMPLE_LABEL, type ProjectDeletion } from '@davit/api';
import { exampleOf, isOnlyFor } from './example-app.ts';

const HELLO = 'demo/production/hello';
const appOf = (reference: string) => ({ reference, domains: [], tcp_ports: [], volumes: [], schedules: 0 });

const ONLY: ProjectDeletion = {
  project: 'demo',
  checksum: 'a',
  environments: ['production'],
  apps: [appOf(HELLO)],
  unused_volumes: [],
  databases: [],
  object_stores: [],
  kept_backups: [],
  template_installs: [],
  registries: [],
  variables: 0,
  has_quota: false,
  members: [],
  trash_days: { databases: 7, volumes: 7 },
  problems: [],
};

describe('the example app', () => {
  it('is found by its label, regardless of its name and image', () => {
    const named = { reference: HELLO, labels: { team: 'shop' } } as unknown as App;
    const labeled = { reference: 'demo/production/web', labels: { [EXAMPLE_LABEL]: '' } } as unknown as App;

    assert.equal(exampleOf([named, labeled]), labeled);
    assert.equal(exampleOf([named]), undefined);
  });

  it('can be the only content of a project, even if it has a volume', () => {
    assert.equal(isOnlyFor(ONLY, HELLO), true);
    assert.equal(isOnlyFor({ ...ONLY, apps: [{ ...appOf(HELLO), volumes: ['/data'] }] }, HELLO), true);
  });

  const others: [what: string, change: Partial<ProjectDeletion>][] = [
    ['another app', { apps: [appOf(HELLO), appOf('demo/production/web')] }],
    ['a different app', { apps: [appOf('demo/production/web')] }],
    ['no app', { apps: [] }],
    ['another environment', { environments: ['production', 'staging'] }],
    ['a database', { databases: [{ reference: 'demo/production/main', engine: 'postgres', backups: 0 }] }],
    ['an object store', { object_stores: [{ name: 'files', outcome: 'trash' }] }],
    ['backups', { kept_backups: [{ database: 'demo/production/main', backups: 1 }] }],
    ['an unused volume', { unused_volumes: [{ app: 'demo/production/old', path: '/data' }] }],
    ['a template installation', { template_installs: [{ id: 1, title: 'Hello' }] }],
    ['registry credentials', { registries: [{ host: 'ghcr.io', is_deleted: true }] }],
    ['a variable', { variables: 1 }],
    ['a quota', { has_quota: true }],
    ['a member', { members: ['grace'] }],
  ];
  for (const [what, change] of others) {
    it(`is not the only content of a project with ${what}`, () => {
      assert.equal(isOnlyFor({ ...ONLY, ...change }, HELLO), false);
    });
  }
});
