/**
 * Finds the resources of an installation by reference, and then compares their ids. A new resource can have the same
 * reference as a deleted resource.
 */
import type { ResourceKind } from '@davit/api';
import type { Reader } from '../../../db/store.ts';
import { appBySlugs } from '../../../db/tables/app.ts';
import { environmentBySlugs } from '../../../db/tables/environment.ts';
import { databaseByReference } from '../../../db/tables/managed-database.ts';
import { storeByName } from '../../../db/tables/object-store.ts';
import { projectBySlug } from '../../../db/tables/project.ts';
import { installById, type ResourceRow, resourcesOf } from '../../../db/tables/template-install.ts';

export interface Thing {
  kind: ResourceKind;
  key: string | null;
  name: string;
  reference: string;
}

/** Names of the resource kinds in messages to users. */
export const RESOURCE_NOUNS: Record<ResourceKind, string> = {
  project: 'project',
  environment: 'environment',
  database: 'database',
  object_store: 'object store',
  bucket: 'bucket',
  app: 'app',
};

type Named = Pick<Thing, 'kind' | 'reference'>;

/**
 * Returns the id of the resource with a reference, or `undefined`. Also finds object stores in the trash, because their
 * names stay reserved.
 */
export function thingId(db: Reader, { kind, reference }: Named): number | undefined {
  const [project = '', environment = '', name = ''] = reference.split('/');
  switch (kind) {
    case 'project':
      return projectBySlug(db, project)?.id;
    case 'environment':
      return environmentBySlugs(db, project, environment)?.id;
    case 'app':
      return appBySlugs(db, project, environment, name)?.id;
    case 'database':
      return databaseByReference(db, reference)?.id;
    case 'object_store':
      return storeByName(db, reference)?.id;
    case 'bucket':
      return undefined;
  }
}

/**
 * Returns whether a resource of an installation still exists. Compares the ids, because a new resource can have the
 * same reference as a deleted resource.
 */
export function isThat(db: Reader, row: ResourceRow): boolean {
  const id = thingId(db, row);
  return id !== undefined && (row.thing_id === null ? isAtHome(db, row) : row.thing_id === id);
}

/**
 * Returns whether a resource without a saved id belongs to the project of its installation. Compares project ids,
 * because a new project can have the same name.
 */
function isAtHome(db: Reader, { install_id, kind, reference }: ResourceRow): boolean {
  const home = installById(db, install_id)?.project_id ?? null;
  const [project = ''] = reference.split('/');
  const id = kind === 'object_store' ? storeByName(db, reference)?.project_id : projectBySlug(db, project)?.id;
  return home === null || id === null || id === home;
}

/** Returns whether the installation created or uses the resource with this reference. */
export function isHad(db: Reader, installId: number, { kind, reference }: Named): boolean {
  const row = resourcesOf(db, installId).find((one) => one.kind === kind && one.reference === reference);
  return row !== undefined && isThat(db, row);
}

/** Returns whether the installation has created or started to create the resource with this reference. */
export function isOurs(db: Reader, installId: number, { kind, reference }: Named): boolean {
  const row = resourcesOf(db, installId).find((one) => one.kind === kind && one.reference === reference);
  return row !== undefined && (row.state === 'made' || row.state === 'planned') && isThat(db, row);
}
