/** Lists the steps of an installation task that have not started. */
import { isTaskOpen, type Task } from '@davit/api';

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
