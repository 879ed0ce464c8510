/** Whose answers are not true any more when something other than an app has changed, or a task has moved on. */
import { isTaskOpen, type OperationId, type ResourceEvent, type TaskEvent } from '@davit/api';
import type { AnswerKey } from '../api.ts';

type IsAffected = (key: AnswerKey) => boolean;
type Kind = ResourceEvent['kind'];

/** Where the things of a kind are listed, by whatever they are asked. */
const LISTS: Readonly<Record<Kind, readonly OperationId[]>> = {
  database: ['listDatabases', 'listTrashedDatabases', 'listBackupCoverage', 'listTemplateInstalls', 'listProjects'],
  store: ['listStores', 'listTemplateInstalls'],
  backup: ['listBackups', 'listDatabaseBackups', 'listBackupCoverage', 'getBackupSchedule'],
  install: ['listTemplateInstalls', 'listProjects', 'listApps', 'listDatabases', 'listStores'],
};

/** Of the thing, and measured or told as it comes: they have their own ways. */
const APART: ReadonlySet<OperationId> = new Set(['getDatabaseLogs', 'getDatabaseMetrics', 'previewTemplateUpdate']);

/** What a thing is called by in the parameters of its own operations. */
const NAMES: Readonly<Record<Kind, (params: AnswerKey[1]) => string | undefined>> = {
  database: ({ project, environment, database }) => database && `${project}/${environment}/${database}`,
  store: ({ store }) => store,
  backup: ({ backup }) => backup,
  install: ({ install }) => install,
};

export function byResource({ kind, reference }: Pick<ResourceEvent, 'kind' | 'reference'>): IsAffected {
  return ([operation, params]) =>
    LISTS[kind].includes(operation) || (!APART.has(operation) && NAMES[kind](params) === reference);
}

/** A task that begins or ends is shown by what it is about; on its way it changes itself alone. */
export function byTask({ id, subject, status, step }: TaskEvent): IsAffected {
  const isIt: IsAffected = ([operation, { task }]) =>
    operation === 'listTasks' || (operation === 'getTask' && task === String(id));
  if (step !== null && isTaskOpen(status)) return isIt;
  const isAbout = byResource({ kind: subject.kind, reference: subject.name });
  return (key) => isIt(key) || isAbout(key);
}
