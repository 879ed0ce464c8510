/** Failed deployments of apps whose attached database is not available. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppCreate } from '@davit/api';
import { patience } from '@davit/testkit/waiting';
import { currentApp } from '../../src/authorization/lookup.ts';
import { appBySlugs } from '../../src/db/tables/app.ts';
import { insertAttachment } from '../../src/db/tables/attachment.ts';
import { deploymentById } from '../../src/db/tables/deployment.ts';
import { type DatabaseChange, setDatabase } from '../../src/db/tables/managed-database.ts';
import { createApp } from '../../src/resources/apps/settings.ts';
import { main, withDatabase } from '../support/database-setup.ts';

/** Changes the database of an app, and deploys the app, which fails. Returns the error of the deployment. */
async function errorAfter(change: DatabaseChange): Promise<string> {
  await using harness = await withDatabase();
  const { core, ctx } = harness;
  const input = { project: 'shop', name: 'web', source: 'image', image: 'acme/web' } as const;
  createApp(core, ctx, AppCreate.parse(input));
  const app = currentApp(core.store, appBySlugs(core.store, 'shop', 'production', 'web')?.id ?? 0);
  core.store.tx((tx) => {
    insertAttachment(tx, app.id, { databaseId: main(harness).id }, '', core.now());
    setDatabase(tx, main(harness).id, change);
  });
  const id = await core.deploys.request(app, { tag: 'crash', trigger: { kind: 'api', by: 'ada', via: 'api' } });
  await core.deploys.ended(id, patience());
  return deploymentById(core.store, id)?.error ?? '';
}

describe('a failed deployment', () => {
  it('names an attached database that is down, with the reason', async () => {
    const error = await errorAfter({ observed: 'down', reason: 'The container exited with code 3.' });

    assert.match(
      error,
      /^Replica 1 exited with code 1\. The attached database shop\/production\/main is not available: /,
    );
    assert.match(error, /The container exited with code 3\./);
  });

  it('names an attached database that is stopped', async () => {
    assert.match(await errorAfter({ wanted: 'stopped' }), /The attached database shop\/production\/main is stopped\./);
  });

  it('does not mention an attached database that is available', async () => {
    assert.doesNotMatch(await errorAfter({}), /database/);
  });
});
