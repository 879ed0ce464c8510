import { z } from 'zod';
import { PathName, QueryBoolean, queryInteger } from '../schemas/common.ts';

const project = PathName.describe('The project’s name.');
const environment = PathName.describe('The environment’s name, such as `production`.');

export const ProjectPath = z.object({ project });
export const EnvironmentPath = z.object({ project, environment });
export const AppPath = z.object({ project, environment, app: PathName.describe('The app’s name.') });
export const DatabasePath = z.object({
  project,
  environment,
  database: PathName.describe('The database’s name.'),
});
export const StorePath = z.object({ store: PathName.describe('The object store’s name.') });
export const DeploymentPath = AppPath.extend({ deployment: z.string().describe('The deployment’s number.') });
export const RevisionPath = AppPath.extend({ revision: z.string().describe('The revision’s number.') });

export const Wait = QueryBoolean.optional().describe('Hold the connection until the deployment has ended.');

/** The query of a list that can be read in pages. Its answer names the next one in the header `Link`. */
export const paging = {
  limit: queryInteger(1, 1_000).optional().describe('How many at most; absent: all of them.'),
  cursor: z.string().max(400).optional().describe('From the `Link` of the page before.'),
};

/** The same of a list that grows with every use, newest first: it is never read as a whole. */
export const recordPaging = {
  limit: queryInteger(1, 100).optional().describe('How many at most; absent: 50.'),
  cursor: z.string().max(100).optional().describe('From the `Link` of the page before.'),
};

/** What is destroyed is named once more. */
export const ConfirmDatabase = z.strictObject({
  confirm: z.string().max(100).describe('The database’s name, so that nobody deletes another one by a slip.'),
});
