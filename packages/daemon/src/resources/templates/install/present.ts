/** Converts an installation of a template to the format of the HTTP API. Omits the secrets of the installation. */
import { type InstallStatus, isTaskOpen, type TemplateInstall, timestamp } from '@davit/api';
import { unlessBroken } from '../../../app-spec/unsealed.ts';
import type { Reader } from '../../../db/store.ts';
import { type TaskRow, taskById } from '../../../db/tables/task.ts';
import { type InstallRow, lastTaskOf, type ResourceRow, resourcesOf } from '../../../db/tables/template-install.ts';
import type { TemplatesDeps } from '../deps.ts';
import { manifestOf, originOf, previousOf, recordIn, secretInputs } from './record.ts';
import { isThat } from './things.ts';

export const ANSWERS_UNREADABLE =
  'Davit cannot decrypt the stored inputs of this installation, because they were changed outside Davit. Restore the database of this instance (davit.db) from a copy, or install the template again.';

export function subjectOf(id: number) {
  return { kind: 'install', name: String(id) } as const;
}

export function presentInstall(core: TemplatesDeps, row: InstallRow): TemplateInstall {
  const { store } = core;
  const task = lastTask(store, row.id);
  const status = statusOf(row, task);
  // If the stored data of this installation is damaged, the list must still contain this installation and all others.
  const record = unlessBroken(() => recordIn(core, row));
  const manifest = record?.manifest ?? unlessBroken(() => manifestOf(core, row));
  const secrets = secretInputs(manifest ?? { inputs: [] });
  const inputs = Object.entries(record?.answers ?? {}).filter(([key]) => !secrets.has(key));
  return {
    id: row.id,
    title: row.title,
    origin: originOf(row),
    previous_release: unlessBroken(() => previousOf(core, row))?.origin.release ?? null,
    update_available: row.newer,
    project: row.project,
    environment: row.environment,
    status,
    resources: resourcesOf(store, row.id).flatMap((resource) => presentResource(store, resource)),
    inputs: Object.fromEntries(inputs),
    secrets: [...secrets],
    error: task?.error ?? (record === undefined ? ANSWERS_UNREADABLE : null),
    task: task !== undefined && isTaskOpen(task.status) ? task.id : null,
    last_task: task?.id ?? null,
    by: row.asked_by,
    via: row.asked_via,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

const WORKING: Readonly<Record<string, InstallStatus>> = {
  'install.install': 'installing',
  'install.update': 'updating',
  'install.rollback': 'updating',
  'install.uninstall': 'uninstalling',
};

/**
 * Returns the status of an installation. While the installation has an open task, the status depends on the kind of the
 * task, for example `updating`. Otherwise, it is the stored status.
 */
export function statusOf(row: InstallRow, task: TaskRow | undefined): InstallStatus {
  if (task !== undefined && isTaskOpen(task.status)) return WORKING[task.kind] ?? 'updating';
  if (row.uninstalled_at !== null) return 'uninstalled';
  return row.installed_at === null ? 'failed' : 'installed';
}

export function lastTask(db: Reader, id: number): TaskRow | undefined {
  const task = lastTaskOf(db, id);
  return task === null ? undefined : taskById(db, task);
}

/**
 * Converts a resource of an installation to the format of the HTTP API, as a list with one item. The list is empty if
 * the resource is only planned or was deleted by a user.
 */
function presentResource(db: Reader, row: ResourceRow): TemplateInstall['resources'] {
  const { kind, key, name, reference, state } = row;
  return state === 'planned' || !isThat(db, row) ? [] : [{ kind, key, name, reference, state }];
}
