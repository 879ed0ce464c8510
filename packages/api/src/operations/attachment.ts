/** API operations that attach apps to databases and buckets, and database operations that affect attached apps. */
import { operation } from '../operation.ts';
import { AttachmentCreate, DatabaseExtensions } from '../schemas/attachment.ts';
import { PathName } from '../schemas/common.ts';
import { Database } from '../schemas/database.ts';
import { ObjectStore } from '../schemas/object-store.ts';
import { changeDeployed, changedOrPlanned, DeployQuery } from './answers.ts';
import { DatabasePath, ObjectStorePath } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';

const app = PathName.describe('Name of the app. The app must be in the environment of the database.');
const DatabaseAttachmentPath = DatabasePath.extend({ app });
const databasePath = '/databases/{project}/{environment}/{database}/attachments/{app}';

const revision =
  'The change creates a revision of the app. The app gets the changed variables with its next deployment.';
const again =
  'If you repeat the request with the same prefix, nothing changes. If you repeat the request with another prefix, Davit replaces the prefix of the variable names.';

export const attachDatabase = operation({
  id: 'attachDatabase',
  method: 'PUT',
  path: databasePath,
  tag: 'Databases',
  summary: 'Attach a database to an app',
  description: `The app gets environment variables with the address, user name and password of the database. ${revision} ${again}`,
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabaseAttachmentPath,
  query: DeployQuery,
  body: AttachmentCreate,
  responses: { 200: changedOrPlanned('The database with its attachments.', Database), 202: changeDeployed },
  errors: ['conflict', 'quota_exceeded'],
  tool: { without: ['deploy', 'dry_run'], answer: Database },
});

export const detachDatabase = operation({
  id: 'detachDatabase',
  method: 'DELETE',
  path: databasePath,
  tag: 'Databases',
  summary: 'Detach a database from an app',
  description: `Davit removes the variables of the database from the app. ${revision} The database and its data are kept.`,
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabaseAttachmentPath,
  query: DeployQuery,
  responses: { 200: changedOrPlanned('The database with its attachments.', Database), 202: changeDeployed },
  errors: ['conflict', 'quota_exceeded'],
  tool: { without: ['deploy', 'dry_run'], answer: Database },
});

const bucketPath = '/object-stores/{object_store}/buckets/{bucket}/attachments/{project}/{environment}/{app}';
const BucketAttachmentPath = ObjectStorePath.extend({
  bucket: PathName.describe('Name of the bucket.'),
  project: PathName.describe('Name of the project of the app.'),
  environment: PathName.describe('Name of the environment of the app.'),
  app: PathName.describe('Name of the app.'),
});

export const attachBucket = operation({
  id: 'attachBucket',
  method: 'PUT',
  path: bucketPath,
  tag: 'Object stores',
  summary: 'Attach a bucket to an app',
  description: `The app gets environment variables with the address and the access keys of the bucket. ${revision} ${again} Davit does not check whether the bucket exists in the object store.`,
  permission: 'operate',
  scope: 'object_store',
  effect: 'write',
  params: BucketAttachmentPath,
  query: DeployQuery,
  body: AttachmentCreate,
  responses: { 200: changedOrPlanned('The object store with its attachments.', ObjectStore), 202: changeDeployed },
  errors: ['conflict', 'quota_exceeded'],
  tool: { without: ['deploy', 'dry_run'], answer: ObjectStore },
});

export const detachBucket = operation({
  id: 'detachBucket',
  method: 'DELETE',
  path: bucketPath,
  tag: 'Object stores',
  summary: 'Detach a bucket from an app',
  description: `Davit removes the variables of the bucket from the app. ${revision} The bucket and its objects are kept.`,
  permission: 'operate',
  scope: 'object_store',
  effect: 'write',
  params: BucketAttachmentPath,
  query: DeployQuery,
  responses: { 200: changedOrPlanned('The object store with its attachments.', ObjectStore), 202: changeDeployed },
  errors: ['conflict', 'quota_exceeded'],
  tool: { without: ['deploy', 'dry_run'], answer: ObjectStore },
});

const begun = { 200: taskEnded, 202: taskAccepted } as const;

export const rotateDatabasePassword = operation({
  id: 'rotateDatabasePassword',
  method: 'POST',
  path: '/databases/{project}/{environment}/{database}/rotate',
  tag: 'Databases',
  summary: 'Rotate the password of a database',
  description:
    'The request starts a task. The task creates a second login and deploys each running attached app with the second login. Davit removes the first login when no app uses the first login any more. If a deployment fails, both logins stay valid. Repeat the request to continue the rotation. The task normally causes no downtime. If open sessions block the change, Davit restarts the database server, which closes the sessions.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  responses: begun,
  tool: {
    description: `Davit creates a login with a new password and deploys the attached apps with the new login. ${waitsForTask}`,
  },
});

export const addDatabaseExtensions = operation({
  id: 'addDatabaseExtensions',
  method: 'POST',
  path: '/databases/{project}/{environment}/{database}/extensions',
  tag: 'Databases',
  summary: 'Add extensions to a database',
  description:
    'Only PostgreSQL databases have extensions. Davit also adds the extensions that the requested extensions depend on. Extensions that are already installed do not change. Davit never removes an extension.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  body: DatabaseExtensions,
  responses: begun,
  tool: {
    description: `The database must be a PostgreSQL database. Davit also adds the extensions that the requested extensions depend on. ${waitsForTask}`,
  },
});
