import type { Task } from '@davit/api';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { query } from '../../api.ts';
import { type Created, isMissing, lastCreation, tasksOf } from './creations.ts';

/**
 * Loads the data for the page of a resource in a route loader. If the creation of the resource failed or is still
 * running, loads the tasks of the resource instead.
 * @throws DavitError not_found if there is no such creation; all other errors of `data`
 */
export async function loadCreated(queries: QueryClient, resource: Created, data: Promise<unknown>): Promise<void> {
  try {
    await data;
  } catch (error) {
    if (!isMissing(error)) throw error;
    const tasks = await queries.fetchQuery({ ...query('listTasks', tasksOf(resource)), staleTime: 0 });
    if (lastCreation(tasks) === null) throw error;
  }
}

/**
 * Returns the failed creation task of a resource that does not exist. Returns `open` while Davit creates the resource
 * or the page loads the tasks. Otherwise, returns `null`.
 * @param answer query result of the resource. Use the option `retryOnMount: false`, so that the page does not request a
 * missing resource again.
 */
export function useCreation(
  resource: Created,
  { data, error }: { data: unknown; error: Error | null },
): Task | 'open' | null {
  const isGone = error === null ? data === undefined : isMissing(error);
  const tasks = useQuery({ ...query('listTasks', tasksOf(resource)), enabled: isGone, staleTime: 0 });
  if (!isGone) return null;
  const creation = lastCreation(tasks.data ?? []);
  return creation === null && tasks.isFetching ? 'open' : creation;
}
