import { useQuery } from '@tanstack/react-query';
import { query } from '../../api.ts';
import type { ProjectPath } from '../../paths.ts';

/**
 * Loads the list of resources that the deletion of a project removes.
 * @param deletion state of the request that deletes the project
 */
export function useDeletionPreview(
  path: ProjectPath,
  deletion: { isPending: boolean; isSuccess: boolean },
  isAllowed = true,
) {
  return useQuery({
    ...query('previewProjectDeletion', { params: path }),
    // After the deletion has started, events would load the list of a project that no longer exists.
    enabled: isAllowed && !deletion.isPending && !deletion.isSuccess,
    // Load the list each time the dialog opens, because some changes to these resources send no event.
    staleTime: 0,
    retry: false,
  });
}
