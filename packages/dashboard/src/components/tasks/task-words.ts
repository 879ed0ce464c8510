import { bytes, type Task, type TaskProgress } from '@davit/api';
import { databasePath, paths } from '../../paths.ts';

const KINDS: Readonly<Record<string, string>> = {
  'database.create': 'Create a database',
  'database.start': 'Start a database',
  'database.stop': 'Stop a database',
  'database.restart': 'Restart a database',
  'database.update': 'Update a database',
  'database.restore': 'Restore a database from the trash',
  'database.expose': 'Expose a database',
  'database.unexpose': 'Stop exposing a database',
  'database.rotate': 'Rotate the password of a database',
  'database.extensions': 'Add extensions to a database',
  'database.clone': 'Clone a database',
  'database.upgrade': 'Upgrade a database',
  'database.point-in-time': 'Restore a database to a point in time',
  'backup.take': 'Back up a database',
  'backup.verify': 'Verify a backup',
  'backup.restore': 'Restore a backup as a new database',
  'backup.restore-in-place': 'Restore a backup in place',
  'object_store.create': 'Create an object store',
  'object_store.start': 'Start an object store',
  'object_store.stop': 'Stop an object store',
  'object_store.restore': 'Restore an object store from the trash',
  'object_store.expose': 'Expose an object store',
  'object_store.unexpose': 'Stop exposing an object store',
  'install.install': 'Install a template',
  'install.update': 'Update an installation',
  'install.rollback': 'Roll back an installation',
  'install.uninstall': 'Uninstall a template',
  'project.delete': 'Delete a project',
};

/**
 * Returns the label for a kind of task, such as `Update an installation`. If the kind has no label, the result is the
 * kind.
 */
export function taskWords(kind: string): string {
  return KINDS[kind] ?? kind;
}

/**
 * Formats the progress of a background task, such as `12 MiB of 80 MiB` or `3 of 5 apps`. If the total is unknown, only
 * the completed amount is shown, such as `40 MiB`.
 */
export function progressWords({ done, total, unit }: TaskProgress): string {
  const amount = (value: number) => (unit === 'bytes' ? bytes(value) : value.toLocaleString('en'));
  const counted = unit === 'bytes' ? '' : ` ${unit}`;
  return total === null ? `${amount(done)}${counted}` : `${amount(done)} of ${amount(total)}${counted}`;
}

/**
 * Returns the completed part of a background task as a number from 0 to 1. Returns `null` if the total amount is
 * unknown.
 */
export function shareDone({ done, total }: TaskProgress): number | null {
  return total === null || total <= 0 ? null : Math.min(1, Math.max(0, done / total));
}

/**
 * Returns the dashboard page of the resource that a background task changes. Returns `null` if the resource has no
 * page.
 */
export function subjectPage({ kind, name }: Task['subject']): string | null {
  if (kind === 'database') return name.split('/').length === 3 ? paths.database(databasePath(name)) : null;
  if (kind === 'object_store') return paths.objectStore({ object_store: name });
  // A deleted project has no page.
  if (kind === 'project') return null;
  return kind === 'install' ? paths.install({ install: name }) : paths.backups();
}
