/** Removal of the records of deleted projects. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lookUp } from '../../src/authorization/lookup.ts';
import { unchecked } from '../../src/db/select.ts';
import { environmentsOfProject, markEnvironmentDeleted } from '../../src/db/tables/environment.ts';
import { deleteStoreRow, insertLinkedStore, storeById } from '../../src/db/tables/object-store.ts';
import { markProjectDeleted } from '../../src/db/tables/project.ts';
import { createProject } from '../../src/resources/projects/project.ts';
import { Harness } from '../support/harness.ts';

const STORE = {
  ...({ name: 'offsite', description: '', provider: 'generic', endpoint: 'https://s3.example.com' } as const),
  ...{ public_endpoint: null, region: 'eu', path_style: 0, bucket: null, access_key: 'key', public_only: 1 },
  ...{ checked_at: null, created_at: 1, updated_at: 1 },
} as const;

it('the removal of a deleted project waits until its linked object store is deleted', async () => {
  await using harness = new Harness();
  const { core, ctx, machine } = harness;
  const { store } = core;
  const slugs = () => store.all(unchecked<{ slug: string }>('SELECT slug FROM projects')).map(({ slug }) => slug);
  const make = (slug: string) => {
    createProject(core, ctx, { slug });
    return lookUp(store, ctx.actor, 'administer', 'project', { project: slug });
  };
  const [bound, free] = [make('bound'), make('free')];
  const offsite = store.tx((tx) => {
    for (const project of [bound, free]) {
      for (const row of environmentsOfProject(tx, project.id)) markEnvironmentDeleted(tx, row, core.now());
      markProjectDeleted(tx, project, core.now());
    }
    return insertLinkedStore(tx, { ...STORE, project_id: bound.id }, () => 'sealed');
  });

  await machine.removeDeleted();
  assert.deepEqual(slugs(), ['bound']);

  store.tx((tx) => deleteStoreRow(tx, storeById(tx, offsite) ?? assert.fail('the store is gone')));
  await machine.removeDeleted();
  assert.deepEqual(slugs(), []);
});
