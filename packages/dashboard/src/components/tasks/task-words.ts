/** Describes tasks, their steps and their progress in words. */
import type { Task, TaskProgress } from '@davit/api';
import { databasePath, paths } from '../../paths.ts';
import { bytes } from '../../util/amounts.ts';

const KINDS: Readonly<Record<string, string>> = {
  'database.create': 'Create a database',
  'database.start': 'Start a database',
  'database.stop': 'Stop a database',
  'database.restart': 'Restart a database',
  'database.update': 'Update a database',
  'database.restore': 'Bring a database back from the trash',
  'database.expose': 'Open a database to the world',
  'database.unexpose': 'Close a database to the world',
  'database.rotate': 'Give a database another password',
  'database.extensions': 'Add extensions to a database',
  'database.clone': 'Clone a database',
  'database.upgrade': 'Upgrade a database',
  'database.point-in-time': 'Restore a database to a moment',
  'backup.take': 'Back up a database',
  'backup.verify': 'Try a backup',
  'backup.restore': 'Restore a backup as a new database',
  'backup.restore-in-place': 'Restore a backup in place',
  'store.create': 'Make an object store',
  'store.start': 'Start an object store',
  'store.stop': 'Stop an object store',
  'store.restore': 'Bring an object store back from the trash',
  'store.expose': 'Open an object store to the world',
  'store.unexpose': 'Close an object store to the world',
  'install.install': 'Install a template',
  'install.update': 'Update an installation',
  'install.rollback': 'Roll an installation back',
  'install.uninstall': 'Uninstall a template',
};

/** Describes a kind of task. An unknown kind keeps its name. */
export function taskWords(kind: string): string {
  return KINDS[kind] ?? kind;
}

const STEPS: Readonly<Record<string, string>> = {
  image: 'Get the image',
  volume: 'Make the volume',
  container: 'Make the container',
  ready: 'Wait until it is ready',
  'set-up': 'Set it up',
  record: 'Note what is wanted',
  port: 'Choose the port',
  stop: 'Stop it',
  publish: 'Tell where it is',
  write: 'Write the backup',
  keep: 'Keep the newest, as the schedule says',
  load: 'Read the backup in',
  copy: 'Copy what it has',
  compare: 'Count what has arrived',
  'back-up': 'Back up what is there now',
  switch: 'Switch over',
  'keep-former': 'Keep the former data in the trash',
  withdraw: 'Let nobody in',
  remove: 'Remove what was made for it',
  login: 'Make a second login',
  verify: 'Try it',
  note: 'Note it',
  deploy: 'Deploy the apps with it',
  wait: 'Wait until nothing uses the first one',
  drop: 'Remove the first one',
};

/** Describes a step. An unknown step is derived from its name. */
export function taskStepWords(name: string): string {
  return STEPS[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;
}

/** Formats the progress, such as `12 MB of 80 MB`, `3 of 5 apps` or `40 MB`. */
export function progressWords({ done, total, unit }: TaskProgress): string {
  const amount = (value: number) => (unit === 'bytes' ? bytes(value) : value.toLocaleString('en'));
  const counted = unit === 'bytes' ? '' : ` ${unit}`;
  return total === null ? `${amount(done)}${counted}` : `${amount(done)} of ${amount(total)}${counted}`;
}

/** Returns the completed share from 0 to 1, or `null` if the total is unknown. */
export function shareDone({ done, total }: TaskProgress): number | null {
  return total === null || total <= 0 ? null : Math.min(1, Math.max(0, done / total));
}

/** Returns the page of a task's subject, or `null` if it has none. */
export function subjectPage({ kind, name }: Task['subject']): string | null {
  if (kind === 'database') return name.split('/').length === 3 ? paths.database(databasePath(name)) : null;
  if (kind === 'store') return paths.store({ store: name });
  return kind === 'install' ? paths.install({ install: name }) : paths.backups();
}
