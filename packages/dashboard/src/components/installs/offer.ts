import type { InstallPlan, Task, TemplateSource } from '@davit/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, useCall } from '../../api.ts';
import { useSettled } from '../../util/settled.ts';
import type { InstallBody } from './draft.ts';

export type Offer =
  | { from: 'catalog'; owner: string; name: string; release: string | null }
  | { from: 'elsewhere'; source: TemplateSource };

/**
 * Fetches the plan of a template installation with `dry_run=true`.
 * @throws DavitError if the server refuses the template or the inputs
 */
export async function planOf(offer: Offer, body: InstallBody, signal?: AbortSignal): Promise<InstallPlan> {
  const options = { query: { dry_run: 'true' }, ...(signal && { signal }) } as const;
  const answer =
    offer.from === 'catalog'
      ? await api.installTemplate({ ...options, params: pathOf(offer), body: { ...body, ...releaseOf(offer) } })
      : await api.installTemplateFile({ ...options, body: { ...body, source: offer.source } });
  if (!('resources' in answer))
    throw new Error('The instance started the installation instead of returning a preview. Reload the page.');
  return answer;
}

const pathOf = ({ owner, name }: Offer & { from: 'catalog' }) => ({ owner, name });
const releaseOf = ({ release }: Offer & { from: 'catalog' }) => (release === null ? {} : { release });

export interface Planning {
  plan: InstallPlan | null;
  error: Error | null;
  /**
   * Whether the shown installation plan may be outdated. A plan may be outdated if the user has changed the input, or
   * while a new plan is being fetched.
   */
  isChecking: boolean;
}

/**
 * Fetches the installation plan for the typed input. Sends the request when the user stops typing, and ignores
 * responses for older input.
 */
export function usePlan(offer: Offer, body: InstallBody, enabled: boolean): Planning {
  const now = JSON.stringify(body);
  const text = useSettled(now);
  const { data, error, isFetching } = useQuery({
    queryKey: ['installTemplate', {}, { offer, text }] as const,
    queryFn: ({ signal }) => planOf(offer, JSON.parse(text) as InstallBody, signal),
    enabled,
    placeholderData: keepPreviousData,
    // Remove the plan from the cache when the form closes, because the plan may contain secrets that the user entered.
    gcTime: 0,
    retry: false,
  });
  return { plan: data ?? null, error, isChecking: isFetching || text !== now };
}

/**
 * Returns a function that installs a template. The API response is a background task. With `dry_run=true`, the response
 * is an installation plan.
 */
export function useInstall(offer: Offer, onBegun: (task: Task) => void) {
  const changes = ['listTemplateInstalls', 'listProjects'] as const;
  const onDone = (answer: Task | InstallPlan) => {
    if ('subject' in answer) onBegun(answer);
  };
  const listed = useCall('installTemplate', { changes, onDone });
  const other = useCall('installTemplateFile', { changes, onDone });
  const { isPending, error, reset } = offer.from === 'catalog' ? listed : other;
  const install = (body: InstallBody) => {
    if (offer.from === 'catalog') listed.mutate({ params: pathOf(offer), body: { ...body, ...releaseOf(offer) } });
    else other.mutate({ body: { ...body, source: offer.source } });
  };
  return { install, busy: isPending, error, reset };
}
