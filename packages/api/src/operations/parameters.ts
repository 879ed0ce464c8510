import { z } from 'zod';
import { PathName, QueryBoolean, queryInteger } from '../schemas/common.ts';

const project = PathName.describe('Name of the project.');
const environment = PathName.describe('Name of the environment, for example `production`.');

export const ProjectPath = z.object({ project });
export const EnvironmentPath = z.object({ project, environment });
export const AppPath = z.object({ project, environment, app: PathName.describe('Name of the app.') });
export const DatabasePath = z.object({
  project,
  environment,
  database: PathName.describe('Name of the database.'),
});
export const ObjectStorePath = z.object({ object_store: PathName.describe('Name of the object store.') });
export const DeploymentPath = AppPath.extend({ deployment: z.string().describe('ID of the deployment.') });
export const RevisionPath = AppPath.extend({ revision: z.string().describe('Number of the revision.') });

export const Wait = QueryBoolean.optional().describe(
  '`true` delays the response until the deployment has finished. Default: `false`.',
);

/** Query parameters of a paginated list. The response header `Link` contains the URL of the next page. */
export const paging = {
  limit: queryInteger(1, 1_000).optional().describe('Maximum number of results. Default: all.'),
  cursor: z.string().max(400).optional().describe('Cursor from the `Link` header of the previous page.'),
};

/**
 * Query parameters of a list that can become very long, such as the list of deployments. The API always paginates such
 * a list, newest items first.
 */
export const recordPaging = {
  limit: queryInteger(1, 100).optional().describe('Maximum number of results. Default: 50.'),
  cursor: z.string().max(100).optional().describe('Cursor from the `Link` header of the previous page.'),
};

/**
 * Query parameters of a request that deletes a database. To confirm the deletion, the caller must send the name of the
 * database.
 */
export const ConfirmDatabase = z.strictObject({
  confirm: z.string().max(100).describe('Name of the database, repeated to confirm the deletion.'),
});
