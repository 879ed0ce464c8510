import type { Promotion, PromotionPlan } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';

/** From one environment of a project to another. */
export interface Way {
  project: string;
  from: string;
  to: string;
}

/** What a promotion would do, asked anew each time: what is live changes. */
export function usePromotionPlan({ project, from, to }: Way) {
  return useQuery({
    queryKey: ['promoteEnvironment', { project, environment: to }, { from }],
    queryFn: async ({ signal }) => {
      const params = { project, environment: to };
      const answer = await api.promoteEnvironment({ params, query: { dry_run: 'true' }, body: { from }, signal });
      return answer.filter((one): one is PromotionPlan => 'plan' in one);
    },
    enabled: from !== '' && to !== '',
    staleTime: 0,
    gcTime: 0,
  });
}

/** The apps that can be promoted and were not left out, by the names that they are asked for with. */
export function picked(plans: readonly PromotionPlan[], leftOut: ReadonlySet<string>): string[] {
  return plans.filter(({ app, plan }) => plan !== null && !leftOut.has(app)).map(({ app }) => nameOf(app));
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

export function isPromotion(answer: Promotion | PromotionPlan): answer is Promotion {
  return 'deployment' in answer;
}
