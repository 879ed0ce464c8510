import { DavitError, type OperationId } from '@davit/api';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type Answer, type Args, query, useAnswer } from '../../api.ts';

/**
 * Fetches a resource before its page is shown. Removes a cached error first, because the error may be about a deleted
 * resource that had the same name.
 */
export function loadPresent<const Id extends OperationId>(
  queries: QueryClient,
  id: Id,
  args: Args<Id>,
): Promise<Answer<Id>> {
  const options = query(id, args);
  const { queryKey } = options;
  if (queries.getQueryState(queryKey)?.status === 'error') queries.removeQueries({ queryKey, exact: true });
  return queries.ensureQueryData(options);
}

/**
 * Returns the resource that a page shows.
 * @throws DavitError not_found or forbidden, even if the cache still contains the deleted resource
 */
export function usePresent<const Id extends OperationId>(id: Id, args: Args<Id>): Answer<Id> {
  const answer = useAnswer(id, args);
  const { error } = useQuery(query(id, args));
  if (error instanceof DavitError && (error.code === 'not_found' || error.code === 'forbidden')) throw error;
  return answer;
}
