import type { Promotion, PromotionPlan } from '@davit/api';
import { environmentOf } from '../../arguments/environment.ts';
import { defineCommand } from '../../declaration/command.ts';
import type { ListView } from '../../output/printer.ts';

export const command = defineCommand({
  path: ['environment', 'promote'],
  summary: 'Deploy the live releases of another environment (promote)',
  description:
    'Deploys each app that exists in both environments. The app in the target environment gets the live image of the source environment, and keeps its own settings and variables. If one app fails, the command continues with the other apps.',
  arguments: { environment: { description: 'target environment, as project/environment' } },
  options: {
    from: { value: 'environment', description: 'source environment in the same project (default: staging)' },
    app: { value: 'name', repeatable: true, description: 'only the app with this name' },
    dryRun: { description: 'show the plan without making changes' },
  },
  examples: [
    {
      line: 'davit environment promote shop/production --from staging',
      does: 'Deploy the live releases of `staging` to `production`',
    },
    {
      line: 'davit environment promote shop/production --from staging --app web --dry-run',
      does: 'Show what would change for one app',
    },
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
    { header: 'result', value: outcomeOf, style: ({ error }) => (error === null ? undefined : 'red') },
  ],
  id: (one) => ('deployment' in one && one.deployment ? one.deployment.id : one.app),
  empty: 'No app has the same name in both environments.',
};

function outcomeOf(one: Promotion | PromotionPlan): string | null {
  if ('deployment' in one && one.deployment) return `deployment ${one.deployment.id}`;
  if ('plan' in one && one.plan) return one.plan.changes.join(' ') || 'no changes';
  return one.error ?? one.skipped;
}
