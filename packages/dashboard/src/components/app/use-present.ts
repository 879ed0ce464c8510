import { DavitError, type OperationId } from '@davit/api';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type Answer, type Args, query, useAnswer } from '../../api.ts';

/** For loaders. What was gone when it was last asked for may be there again under the same name. */
export function loadPresent<const Id extends OperationId>(
  queries: QueryClient,
  id: Id,
  args: Args<Id>,
): Promise<Answer<Id>> {
  const asked = query(id, args);
  const { queryKey } = asked;
  if (queries.getQueryState(queryKey)?.status === 'error') queries.removeQueries({ queryKey, exact: true });
  return queries.ensureQueryData(asked);
}

/**
 * The answer about the thing that a page is of. Once it is removed, the page says so: what was answered before would look
 * as if it were still there.
 * @throws DavitError not_found and forbidden, to be shown in place of the page
 */
export function usePresent<const Id extends OperationId>(id: Id, args: Args<Id>): Answer<Id> {
  const answer = useAnswer(id, args);
  const { error } = useQuery(query(id, args));
  if (error instanceof DavitError && (error.code === 'not_found' || error.code === 'forbidden')) throw error;
  return answer;
}
