/**
 * Describes the steps of installation tasks and of project deletions for users. Also lists the steps of a task that
 * have not started.
 */
import { isTaskOpen, type Task } from '@davit/api';
import { taskStepWords } from '../tasks/task-words.ts';

const MAKING: Readonly<Record<string, string>> = {
  project: 'Create the project',
  environment: 'Create the environment',
  databases: 'Create the databases',
  object_stores: 'Create the object stores',
  apps: 'Create the apps',
  variables: 'Attach databases and set variables',
  deploy: 'Deploy the apps',
};

const CHANGING: Readonly<Record<string, string>> = {
  ...MAKING,
  compare: 'Compare the releases',
  apps: 'Change the apps',
  remove: 'Remove unused resources',
};

const REMOVING: Readonly<Record<string, string>> = {
  apps: 'Remove the apps',
  databases: 'Detach the databases',
  object_stores: 'Detach the object stores',
  environment: 'Remove the environment if it is empty',
  project: 'Remove the project if it is empty',
};

const DELETING: Readonly<Record<string, string>> = {
  apps: 'Delete the apps',
  volumes: 'Move the volumes to the trash',
  databases: 'Move the databases to the trash',
  object_stores: 'Remove the object stores',
  project: 'Delete the project and its environments',
};

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'install.install': MAKING,
  'install.update': CHANGING,
  'install.rollback': CHANGING,
  'install.uninstall': REMOVING,
  'project.delete': DELETING,
};

/**
 * Returns a function that converts the API name of a task step to a description for users. `kind` can be any kind of
 * background task.
 */
export function runStepWords(kind: string): (name: string) => string {
  const words = WORDS[kind] ?? {};
  return (name) => words[name] ?? taskStepWords(name);
}

const AHEAD: Readonly<Record<string, readonly string[]>> = {
  // The steps `databases` and `object_stores` are not listed, because not every template has them.
  'install.install': ['project', 'environment', 'apps', 'variables', 'deploy'],
  'install.update': ['compare', 'databases', 'object_stores', 'apps', 'variables', 'deploy', 'remove'],
  'install.rollback': ['compare', 'databases', 'object_stores', 'apps', 'variables', 'deploy', 'remove'],
  'install.uninstall': ['apps', 'databases', 'object_stores', 'environment', 'project'],
};

/** Returns all step names of an unfinished installation task, in order. Returns an empty list for other tasks. */
export function runStepsAhead({ kind, status }: Pick<Task, 'kind' | 'status'>): readonly string[] {
  return isTaskOpen(status) ? (AHEAD[kind] ?? []) : [];
}
