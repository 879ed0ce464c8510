import type { Promotion, PromotionPlan } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';

/** Source and target environment of a promotion within a project. */
export interface Way {
  project: string;
  from: string;
  to: string;
}

/**
 * Fetches the deployment plan of each app in a promotion. Cached plans are not used, because the live releases may have
 * changed.
 */
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

/** Returns the names of the apps that are selected for a promotion and can be promoted. */
export function picked(plans: readonly PromotionPlan[], leftOut: ReadonlySet<string>): string[] {
  return plans.filter(({ app, plan }) => plan !== null && !leftOut.has(app)).map(({ app }) => nameOf(app));
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

export function isPromotion(answer: Promotion | PromotionPlan): answer is Promotion {
  return 'deployment' in answer;
}
