import type { OperationId } from '@davit/api';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import type { DatabasePath } from '../../paths.ts';

/**
 * Returns a function that loads a cached API response again. Use this function for a response that live events from the
 * server do not update.
 */
export function useReadAgain(id: OperationId, params: DatabasePath): { busy: boolean; read: () => void } {
  const queries = useQueryClient();
  const queryKey = [id, params];
  const busy = useIsFetching({ queryKey }) > 0;
  return { busy, read: () => void queries.invalidateQueries({ queryKey }) };
}
