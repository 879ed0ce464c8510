/**
 * Finds the cached API responses that an event makes outdated. The event is about a task, a database, an object store,
 * a backup or an installation.
 */
import { isTaskOpen, type OperationId, type TaskEvent, type TaskSubjectKind } from '@davit/api';
import type { AnswerKey } from '../api.ts';

type IsAffected = (key: AnswerKey) => boolean;

/**
 * API operations that return lists, by kind of resource. A change of a resource of this kind makes their cached
 * responses outdated.
 */
const LISTS: Readonly<Record<TaskSubjectKind, readonly OperationId[]>> = {
  database: ['listDatabases', 'listTrashedDatabases', 'listBackupCoverage', 'listTemplateInstalls', 'listProjects'],
  object_store: ['listObjectStores', 'listTemplateInstalls'],
  backup: ['listBackups', 'listDatabaseBackups', 'listBackupCoverage', 'getBackupSchedule'],
  install: ['listTemplateInstalls', 'listProjects', 'listApps', 'listDatabases', 'listObjectStores'],
  project: ['listProjects', 'listApps', 'listVolumes', 'listDatabases', 'listObjectStores', 'listTemplateInstalls'],
};

/**
 * API operations whose cached responses stay valid after an event about a resource. Other code updates logs, metrics
 * and previews.
 */
const APART: ReadonlySet<OperationId> = new Set(['getDatabaseLogs', 'getDatabaseMetrics', 'previewTemplateUpdate']);

/**
 * Functions that build the name of a resource from the path parameters of a request. Events contain the same name, such
 * as `shop/production/main` for a database.
 */
const NAMES: Readonly<Record<TaskSubjectKind, (params: AnswerKey[1]) => string | undefined>> = {
  database: ({ project, environment, database }) => database && `${project}/${environment}/${database}`,
  object_store: ({ object_store }) => object_store,
  backup: ({ backup }) => backup,
  install: ({ install }) => install,
  // Return no name for a project, because the events about apps also update the responses about the project.
  project: () => undefined,
};

export function byResource({ kind, reference }: { kind: TaskSubjectKind; reference: string }): IsAffected {
  return ([operation, params]) =>
    LISTS[kind].includes(operation) || (!APART.has(operation) && NAMES[kind](params) === reference);
}

/**
 * Returns a function that checks whether a task event makes a cached response outdated. Responses about the changed
 * resource become outdated only at the start and at the end of a task.
 */
export function byTask({ id, subject, status, step }: TaskEvent): IsAffected {
  const isIt: IsAffected = ([operation, { task }]) =>
    operation === 'listTasks' || (operation === 'getTask' && task === String(id));
  if (step !== null && isTaskOpen(status)) return isIt;
  const isAbout = byResource({ kind: subject.kind, reference: subject.name });
  return (key) => isIt(key) || isAbout(key);
}
