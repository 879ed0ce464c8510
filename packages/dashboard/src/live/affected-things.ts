/**
 * Finds cached API answers that become stale by an event about a task, database, object store, backup or installation.
 */
import { isTaskOpen, type OperationId, type ResourceEvent, type TaskEvent } from '@davit/api';
import type { AnswerKey } from '../api.ts';

type IsAffected = (key: AnswerKey) => boolean;
type Kind = ResourceEvent['kind'];

/** API operations that list resources of a kind. An event about any such resource makes their answers stale. */
const LISTS: Readonly<Record<Kind, readonly OperationId[]>> = {
  database: ['listDatabases', 'listTrashedDatabases', 'listBackupCoverage', 'listTemplateInstalls', 'listProjects'],
  object_store: ['listObjectStores', 'listTemplateInstalls'],
  backup: ['listBackups', 'listDatabaseBackups', 'listBackupCoverage', 'getBackupSchedule'],
  install: ['listTemplateInstalls', 'listProjects', 'listApps', 'listDatabases', 'listObjectStores'],
};

/**
 * API operations on one resource whose answers do not become stale by its events. The pages refresh logs, metrics and
 * previews in other ways.
 */
const APART: ReadonlySet<OperationId> = new Set(['getDatabaseLogs', 'getDatabaseMetrics', 'previewTemplateUpdate']);

/** Builds the reference of a resource, as in events, from the path parameters of an API operation. */
const NAMES: Readonly<Record<Kind, (params: AnswerKey[1]) => string | undefined>> = {
  database: ({ project, environment, database }) => database && `${project}/${environment}/${database}`,
  object_store: ({ object_store }) => object_store,
  backup: ({ backup }) => backup,
  install: ({ install }) => install,
};

export function byResource({ kind, reference }: Pick<ResourceEvent, 'kind' | 'reference'>): IsAffected {
  return ([operation, params]) =>
    LISTS[kind].includes(operation) || (!APART.has(operation) && NAMES[kind](params) === reference);
}

/**
 * Returns a test that finds cached answers which a task event makes stale. When a task starts or ends, answers about
 * its subject become stale too. Other steps affect only answers about the task.
 */
export function byTask({ id, subject, status, step }: TaskEvent): IsAffected {
  const isIt: IsAffected = ([operation, { task }]) =>
    operation === 'listTasks' || (operation === 'getTask' && task === String(id));
  if (step !== null && isTaskOpen(status)) return isIt;
  const isAbout = byResource({ kind: subject.kind, reference: subject.name });
  return (key) => isIt(key) || isAbout(key);
}
