/** What can be installed, wherever it comes from, and how the instance is asked to plan and to do it. */
import type { InstallPlan, Task, TemplateSource } from '@davit/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, useCall } from '../../api.ts';
import { useSettled } from '../../util/settled.ts';
import type { InstallBody } from './draft.ts';

export type Offer =
  | { from: 'catalog'; owner: string; name: string; release: string | null }
  | { from: 'elsewhere'; source: TemplateSource };

/** @throws DavitError when it cannot even be planned */
export async function planOf(offer: Offer, body: InstallBody, signal?: AbortSignal): Promise<InstallPlan> {
  const asked = { query: { dry_run: 'true' }, ...(signal && { signal }) } as const;
  const answer =
    offer.from === 'catalog'
      ? await api.installTemplate({ ...asked, params: pathOf(offer), body: { ...body, ...releaseOf(offer) } })
      : await api.installTemplateFile({ ...asked, body: { ...body, source: offer.source } });
  if (!('resources' in answer)) throw new Error('The instance answered a task where its plan was asked for.');
  return answer;
}

const pathOf = ({ owner, name }: Offer & { from: 'catalog' }) => ({ owner, name });
const releaseOf = ({ release }: Offer & { from: 'catalog' }) => (release === null ? {} : { release });

export interface Planning {
  plan: InstallPlan | null;
  error: Error | null;
  /** It is not the plan of what stands in the form now. */
  isChecking: boolean;
}

/** What an install of what is typed would do; asked when the typing rests, and only the last answer counts. */
export function usePlan(offer: Offer, body: InstallBody, enabled: boolean): Planning {
  const now = JSON.stringify(body);
  const text = useSettled(now);
  const { data, error, isFetching } = useQuery({
    queryKey: ['installTemplate', {}, { offer, text }] as const,
    queryFn: ({ signal }) => planOf(offer, JSON.parse(text) as InstallBody, signal),
    enabled,
    placeholderData: keepPreviousData,
    // Secrets may be in it: it is gone with the form.
    gcTime: 0,
    retry: false,
  });
  return { plan: data ?? null, error, isChecking: isFetching || text !== now };
}

/** Installs it. A plan is never answered to this. */
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
