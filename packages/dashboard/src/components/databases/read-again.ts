import type { OperationId } from '@davit/api';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import type { DatabasePath } from '../../paths.ts';

/** Returns a function that fetches an API answer again. The function is for answers that change without an event. */
export function useReadAgain(id: OperationId, params: DatabasePath): { busy: boolean; read: () => void } {
  const queries = useQueryClient();
  const queryKey = [id, params];
  const busy = useIsFetching({ queryKey }) > 0;
  return { busy, read: () => void queries.invalidateQueries({ queryKey }) };
}
