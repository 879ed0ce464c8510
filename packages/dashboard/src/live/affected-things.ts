/** Selects the cached answers that become stale after a task event or an event about a resource other than an app. */
import { isTaskOpen, type OperationId, type ResourceEvent, type TaskEvent } from '@davit/api';
import type { AnswerKey } from '../api.ts';

type IsAffected = (key: AnswerKey) => boolean;
type Kind = ResourceEvent['kind'];

/** Operations that list the resources of a kind, whatever their parameters are. */
const LISTS: Readonly<Record<Kind, readonly OperationId[]>> = {
  database: ['listDatabases', 'listTrashedDatabases', 'listBackupCoverage', 'listTemplateInstalls', 'listProjects'],
  object_store: ['listObjectStores', 'listTemplateInstalls'],
  backup: ['listBackups', 'listDatabaseBackups', 'listBackupCoverage', 'getBackupSchedule'],
  install: ['listTemplateInstalls', 'listProjects', 'listApps', 'listDatabases', 'listObjectStores'],
};

/**
 * Operations on one resource that its events do not make stale. Logs, metrics and previews are updated in other ways.
 */
const APART: ReadonlySet<OperationId> = new Set(['getDatabaseLogs', 'getDatabaseMetrics', 'previewTemplateUpdate']);

/** Name of a resource of each kind, built from the parameters of the resource's own operations. */
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
 * Returns a test for the answers that a task event makes stale. The start and the end of a task also affect the task's
 * subject. A step in between affects only the task.
 */
export function byTask({ id, subject, status, step }: TaskEvent): IsAffected {
  const isIt: IsAffected = ([operation, { task }]) =>
    operation === 'listTasks' || (operation === 'getTask' && task === String(id));
  if (step !== null && isTaskOpen(status)) return isIt;
  const isAbout = byResource({ kind: subject.kind, reference: subject.name });
  return (key) => isIt(key) || isAbout(key);
}
