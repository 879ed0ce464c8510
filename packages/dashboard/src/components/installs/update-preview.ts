import type { UpdatePreview } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { api, query } from '../../api.ts';

/** Installed template, and the template release or file to which the installation is updated. */
export interface UpdateRequest {
  install: number;
  /** Template release to which the installation is updated. `null` means the newest release. */
  release: string | null;
  /** Text of the new template if the installed template comes from a file. Otherwise `null`. */
  file: string | null;
  /** Whether the update removes apps that are missing in the new release. */
  remove: boolean;
}

/**
 * Returns the names of the apps that the update removes. When the user starts the update, the user confirms their
 * removal.
 */
export function removedApps({ changes }: Pick<UpdatePreview, 'changes'>): string[] {
  return changes.filter(({ action }) => action === 'remove').map(({ name }) => name);
}

/**
 * Fetches a preview of an update to a new template file.
 * @throws DavitError if the file is not a valid template
 */
export async function previewOfFile(
  { install, file, remove }: Pick<UpdateRequest, 'install' | 'file' | 'remove'>,
  signal?: AbortSignal,
): Promise<UpdatePreview> {
  const answer = await api.updateTemplateInstall({
    params: { install: String(install) },
    query: { dry_run: 'true' },
    body: { file: file ?? '', keep_removed: !remove },
    ...(signal && { signal }),
  });
  if ('changes' in answer) return answer;
  throw new Error('The instance started the update instead of returning a preview. Reload the page.');
}

/**
 * Fetches a preview of the changes that an update of an installed template would make. The update uses a release of the
 * template or a template file.
 */
export function useUpdatePreview(request: UpdateRequest) {
  const params = { install: String(request.install) };
  const queryParams = {
    ...(request.release !== null && { release: request.release }),
    ...(!request.remove && { keep_removed: 'true' as const }),
  };
  const listed = useQuery({
    ...query('previewTemplateUpdate', { params, query: queryParams }),
    enabled: request.file === null,
    retry: false,
  });
  const sent = useQuery({
    queryKey: ['updateTemplateInstall', params, { file: request.file, remove: request.remove }] as const,
    queryFn: ({ signal }) => previewOfFile(request, signal),
    enabled: request.file !== null,
    // The template text may contain secrets, so the query cache removes the text when the dialog closes.
    gcTime: 0,
    retry: false,
  });
  return request.file === null ? listed : sent;
}
