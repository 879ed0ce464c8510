/** Checks whether a user may create a database with a given name in an environment. */
import { DavitError, invalidField, Slug } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { lookUp } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { environmentBySlugs } from '../../db/tables/environment.ts';
import { databaseByName, databaseReference } from '../../db/tables/managed-database.ts';
import type { DatabaseLike } from './like.ts';

export type DatabaseIdentity = Pick<DatabaseLike, 'project_id' | 'environment_id' | 'project' | 'environment' | 'name'>;

/**
 * Returns the environment and the name in a database reference of the form `project/environment/name`.
 * @throws DavitError not_found, forbidden, invalid_input
 */
export function databaseTarget(db: Reader, { actor }: OpContext, reference: string): DatabaseIdentity {
  const [project = '', environment = '', name = ''] = reference.split('/');
  const found = lookUp(db, actor, 'administer', 'environment', { project, environment });
  if (!Slug.safeParse(name).success)
    throw invalidField(
      'into',
      'invalid_format',
      'must end with a database name: lower-case letters, digits, and hyphens between them.',
    );
  return { project_id: found.project.id, environment_id: found.id, project, environment, name };
}

/**
 * Checks that the environment still exists and that the environment has no other database with this name.
 * @throws DavitError not_found, conflict
 */
export function demandFreeTarget(db: Reader, target: DatabaseIdentity): void {
  if (environmentBySlugs(db, target.project, target.environment)?.id !== target.environment_id)
    throw new DavitError(
      'not_found',
      `The environment ${target.project}/${target.environment} was deleted during the request. Choose another environment.`,
    );
  if (databaseByName(db, target.environment_id, target.name) === undefined) return;
  throw new DavitError('conflict', `A database ${databaseReference(target)} already exists. Choose another name.`);
}
