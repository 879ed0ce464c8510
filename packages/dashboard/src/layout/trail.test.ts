import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { siblingsOf, trailOf } from './trail.ts';

const names = (pathname: string) => trailOf(pathname).map(({ name }) => name);

describe('breadcrumb trail', () => {
  it('lists the names of all parent pages', () => {
    assert.deepEqual(names('/'), ['Overview']);
    assert.deepEqual(names('/users/maria'), ['Users', 'maria']);
    assert.deepEqual(names('/templates/acme/notes'), ['Templates', 'notes']);
    assert.deepEqual(names('/installs/4'), ['Installed', '#4']);
    assert.deepEqual(names('/projects/shop/settings'), ['Projects', 'shop', 'Settings']);
    assert.deepEqual(names('/projects/shop/staging/settings'), ['Projects', 'shop', 'staging', 'Settings']);
    assert.deepEqual(names('/projects/shop/staging/web/deployments/12'), [
      ...['Projects', 'shop', 'staging', 'web', 'Deployments', '#12'],
    ]);
    assert.deepEqual(names('/%zz'), ['Page not found']);
  });

  it('links to every parent page', () => {
    assert.deepEqual(
      trailOf('/projects/shop/staging/web/logs').map(({ to }) => to),
      [
        ...['/projects', '/projects/shop', '/projects/shop/staging', '/projects/shop/staging/web'],
        '/projects/shop/staging/web/logs',
      ],
    );
  });
});

describe('breadcrumb switcher', () => {
  const known = {
    projects: [
      { slug: 'blog', environments: ['production'] },
      { slug: 'shop', environments: ['production', 'staging'] },
    ],
    apps: [
      { project: 'shop', environment: 'production', name: 'web' },
      { project: 'shop', environment: 'production', name: 'api' },
      { project: 'shop', environment: 'staging', name: 'web' },
    ],
  };
  const leads = (...args: [pathname: string, level: 'project' | 'environment' | 'app']) =>
    siblingsOf(...args, known).map(({ to }) => to);

  it('keeps the current tab for sibling apps and environments', () => {
    assert.deepEqual(leads('/projects/shop/production/web/logs', 'app'), [
      '/projects/shop/production/web/logs',
      '/projects/shop/production/api/logs',
    ]);
    assert.deepEqual(leads('/projects/shop/production/web/deployments/7', 'environment'), [
      '/projects/shop/production/web/deployments',
      '/projects/shop/staging/web/deployments',
    ]);
  });

  it('links to the nearest existing page of the sibling', () => {
    assert.deepEqual(leads('/projects/shop/production/api/logs', 'environment'), [
      '/projects/shop/production/api/logs',
      '/projects/shop/staging',
    ]);
    assert.deepEqual(leads('/projects/shop/staging/web', 'project'), ['/projects/blog', '/projects/shop/staging/web']);
    assert.deepEqual(leads('/projects/shop/settings', 'project'), [
      '/projects/blog/settings',
      '/projects/shop/settings',
    ]);
  });

  it('marks the current project as the current page', () => {
    const [, here] = siblingsOf('/projects/shop', 'project', known);
    assert.deepEqual(here, { name: 'shop', to: '/projects/shop', isHere: true });
  });
});
