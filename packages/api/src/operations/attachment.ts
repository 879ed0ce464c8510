/** What an app gets at by variables, and what a database is reached with. */
import { operation } from '../operation.ts';
import { AttachmentCreate, DatabaseExtensions } from '../schemas/attachment.ts';
import { PathName } from '../schemas/common.ts';
import { Database } from '../schemas/database.ts';
import { ObjectStore } from '../schemas/object-store.ts';
import { changeDeployed, changedOrPlanned, DeployQuery } from './answers.ts';
import { DatabasePath, StorePath } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';

const app = PathName.describe('The app’s name; it is in the same environment.');
const DatabaseAttachmentPath = DatabasePath.extend({ app });
const databasePath = '/databases/{project}/{environment}/{database}/attachments/{app}';

const revision = 'It is a change of the app’s variables: a revision of it, and what runs gets it with the next deploy.';
const again = 'The same once more changes nothing; another prefix takes the place of the one before.';

export const attachDatabase = operation({
  id: 'attachDatabase',
  method: 'PUT',
  path: databasePath,
  tag: 'Databases',
  summary: 'Give an app the variables of a database',
  description: `${revision} ${again}`,
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabaseAttachmentPath,
  query: DeployQuery,
  body: AttachmentCreate,
  responses: { 200: changedOrPlanned('The database.', Database), 202: changeDeployed },
  errors: ['conflict', 'quota_exceeded'],
  tool: { without: ['deploy', 'dry_run'], answer: Database },
});

export const detachDatabase = operation({
  id: 'detachDatabase',
  method: 'DELETE',
  path: databasePath,
  tag: 'Databases',
  summary: 'Take the variables of a database away from an app',
  description: `${revision} The database and what is in it stay.`,
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabaseAttachmentPath,
  query: DeployQuery,
  responses: { 200: changedOrPlanned('The database.', Database), 202: changeDeployed },
  errors: ['conflict', 'quota_exceeded'],
  tool: { without: ['deploy', 'dry_run'], answer: Database },
});

const bucketPath = '/stores/{store}/buckets/{bucket}/attachments/{project}/{environment}/{app}';
const BucketAttachmentPath = StorePath.extend({
  bucket: PathName.describe('The bucket’s name.'),
  project: PathName.describe('The project of the app.'),
  environment: PathName.describe('The environment of the app.'),
  app: PathName.describe('The app’s name.'),
});

export const attachBucket = operation({
  id: 'attachBucket',
  method: 'PUT',
  path: bucketPath,
  tag: 'Object stores',
  summary: 'Give an app the variables of a bucket',
  description: `${revision} ${again} The store is not asked whether it has the bucket.`,
  permission: 'operate',
  scope: 'store',
  effect: 'write',
  params: BucketAttachmentPath,
  query: DeployQuery,
  body: AttachmentCreate,
  responses: { 200: changedOrPlanned('The store.', ObjectStore), 202: changeDeployed },
  errors: ['conflict', 'quota_exceeded'],
  tool: { without: ['deploy', 'dry_run'], answer: ObjectStore },
});

export const detachBucket = operation({
  id: 'detachBucket',
  method: 'DELETE',
  path: bucketPath,
  tag: 'Object stores',
  summary: 'Take the variables of a bucket away from an app',
  description: `${revision} The bucket and what is in it stay.`,
  permission: 'operate',
  scope: 'store',
  effect: 'write',
  params: BucketAttachmentPath,
  query: DeployQuery,
  responses: { 200: changedOrPlanned('The store.', ObjectStore), 202: changeDeployed },
  errors: ['conflict', 'quota_exceeded'],
  tool: { without: ['deploy', 'dry_run'], answer: ObjectStore },
});

const begun = { 200: taskEnded, 202: taskAccepted } as const;

export const rotateDatabasePassword = operation({
  id: 'rotateDatabasePassword',
  method: 'POST',
  path: '/databases/{project}/{environment}/{database}/rotate',
  tag: 'Databases',
  summary: 'Give a database another password',
  description:
    'A task, without downtime: a second login is made, every attached app that runs is deployed with it, and the first one ends when nothing uses it any more. When a deployment fails both stay valid, and asking again goes on from there.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  responses: begun,
  tool: {
    description: `Gives a database another password, and deploys the apps that it is attached to with it. ${waitsForTask}`,
  },
});

export const addDatabaseExtensions = operation({
  id: 'addDatabaseExtensions',
  method: 'POST',
  path: '/databases/{project}/{environment}/{database}/extensions',
  tag: 'Databases',
  summary: 'Add extensions to a database',
  description:
    'Of postgres, with what they stand on; one that is there already is left as it is. None is ever removed.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  body: DatabaseExtensions,
  responses: begun,
  tool: { description: `Adds extensions to a postgres database, with what they stand on. ${waitsForTask}` },
});
