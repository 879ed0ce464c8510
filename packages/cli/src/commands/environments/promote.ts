import type { Promotion, PromotionPlan } from '@davit/api';
import { ENVIRONMENT, environmentOf } from '../../arguments/environment.ts';
import { defineCommand } from '../../declaration/command.ts';
import type { ListView } from '../../output/printer.ts';

export const command = defineCommand({
  path: ['environment', 'promote'],
  summary: 'Deploy the live releases of another environment (promote)',
  description:
    'In each app that both environments have: exactly the image that is live there, with the settings and variables of here. What cannot be done in one app is told of that app alone.',
  arguments: { environment: ENVIRONMENT },
  options: {
    from: { value: 'environment', description: 'the environment of the same project to take images from' },
    app: { value: 'name', repeatable: true, description: 'only this app; may be given several times' },
    dryRun: { description: 'show what would be done, and do nothing' },
  },
  examples: [
    { line: 'davit environment promote shop/production --from staging', does: 'all apps of staging' },
    { line: 'davit environment promote shop/production --from staging --app web --dry-run', does: 'the plan of one' },
  ],
  async run({ client, out, args, options }) {
    const params = environmentOf(args.environment);
    const query = { ...(options.dryRun && { dry_run: 'true' as const }) };
    const body = { from: options.from ?? 'staging', ...(options.app.length > 0 && { apps: options.app }) };
    const promotions = await (await client()).promoteEnvironment({ params, query, body });
    out.list<Promotion | PromotionPlan>(promotions, promotionList);
    return promotions.some(({ error }) => error !== null) ? 1 : 0;
  },
});

const promotionList: ListView<Promotion | PromotionPlan> = {
  columns: [
    { header: 'app', value: ({ app }) => app, style: () => 'bold' },
    { header: 'promotion', value: outcomeOf, style: ({ error }) => (error === null ? undefined : 'red') },
  ],
  id: (one) => ('deployment' in one && one.deployment ? one.deployment.id : one.app),
  empty: 'No app is in both environments.',
};

function outcomeOf(one: Promotion | PromotionPlan): string | null {
  if ('deployment' in one && one.deployment) return `deployment ${one.deployment.id}`;
  if ('plan' in one && one.plan) return one.plan.changes.join(' ') || 'nothing would change';
  return one.error ?? one.skipped;
}
