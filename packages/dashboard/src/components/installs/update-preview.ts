import type { UpdatePreview } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { api, query } from '../../api.ts';

/** What an installation is to become. */
export interface UpdateAsk {
  install: number;
  /** Null: the newest. */
  release: string | null;
  /** The text of a template, for one that came from a file; null: a release. */
  file: string | null;
  remove: boolean;
}

/** @throws DavitError for a text that is no template */
export async function previewOfFile(
  { install, file, remove }: Pick<UpdateAsk, 'install' | 'file' | 'remove'>,
  signal?: AbortSignal,
): Promise<UpdatePreview> {
  const answer = await api.updateTemplateInstall({
    params: { install: String(install) },
    query: { dry_run: 'true' },
    body: { file: file ?? '', remove },
    ...(signal && { signal }),
  });
  if ('changes' in answer) return answer;
  throw new Error('The instance answered a task where a preview was asked for.');
}

/** What an update would change, whatever it is to. */
export function useUpdatePreview(ask: UpdateAsk) {
  const params = { install: String(ask.install) };
  const asked = {
    ...(ask.release !== null && { release: ask.release }),
    ...(!ask.remove && { remove: 'false' as const }),
  };
  const listed = useQuery({
    ...query('previewTemplateUpdate', { params, query: asked }),
    enabled: ask.file === null,
    retry: false,
  });
  const sent = useQuery({
    queryKey: ['updateTemplateInstall', params, { file: ask.file, remove: ask.remove }] as const,
    queryFn: ({ signal }) => previewOfFile(ask, signal),
    enabled: ask.file !== null,
    // The text may have secrets: it is gone with the dialog.
    gcTime: 0,
    retry: false,
  });
  return ask.file === null ? listed : sent;
}
