import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { App, Database } from '@davit/api';
import { attachable, firstVariable } from './attach-draft.ts';

const app = (reference: string) => {
  const [project, environment, name] = reference.split('/');
  return { project, environment, name, reference } as App;
};

describe('database attachment', () => {
  it('offers only unattached apps of the same environment', () => {
    const environmentPath = { project: 'shop', environment: 'production' };
    const database = {
      ...environmentPath,
      attachments: [{ app: 'shop/production/web', prefix: '' }],
    } as unknown as Database;
    const apps = ['shop/production/web', 'shop/production/api', 'shop/staging/web', 'blog/production/site'].map(app);
    assert.deepEqual(
      attachable(apps, database).map(({ reference }) => reference),
      ['shop/production/api'],
    );
  });

  it('puts the prefix before the name of the first variable', () => {
    assert.equal(firstVariable('postgres', ''), 'DATABASE_URL');
    assert.equal(firstVariable('redis', 'CACHE_'), 'CACHE_REDIS_URL');
  });
});
