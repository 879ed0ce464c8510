import type { Promotion, PromotionPlan } from '@davit/api';
import { environmentOf } from '../../arguments/environment.ts';
import { defineCommand } from '../../declaration/command.ts';
import type { Context } from '../../declaration/context.ts';
import { CliError } from '../../errors/exit.ts';
import type { ListView } from '../../output/printer.ts';
import { endOf } from '../../progress/follow-deploys.ts';
import { NO_WAIT } from '../../progress/started-deployment.ts';

export const command = defineCommand({
  path: ['environment', 'promote'],
  summary: 'Deploy the live releases of another environment (promote)',
  description:
    'Deploys each app that exists in both environments. The app in the target environment gets the live image of the source environment, and keeps its own settings and variables. If one app fails, the command continues with the other apps. The exit code is 0 only if all deployments succeed.',
  arguments: { environment: { description: 'target environment, as project/environment' } },
  options: {
    from: { value: 'environment', description: 'source environment in the same project (default: staging)' },
    app: { value: 'name', repeatable: true, description: 'only the app with this name' },
    dryRun: { description: 'show the plan without making changes' },
    noWait: NO_WAIT,
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
  async run(ctx) {
    const { client, out, args, options } = ctx;
    const params = environmentOf(args.environment);
    const from = options.from ?? 'staging';
    const query = { ...(options.dryRun && { dry_run: 'true' as const }) };
    const body = { from, ...(options.app.length > 0 && { apps: options.app }) };
    const promotions = await (await client()).promoteEnvironment({ params, query, body });
    if (promotions.length === 0)
      throw new CliError(
        'conflict',
        `No app with a live release in ${params.project}/${from} has the same name in ${args.environment}. Nothing was deployed.`,
      );
    const ended = options.noWait ? promotions : await toTheirEnd(ctx, promotions);
    out.list<Promotion | PromotionPlan>(ended, promotionList);
    const bad = ended.filter((one) => one.error !== null).map(({ app }) => app);
    const verb = options.dryRun ? 'cannot be' : 'were not';
    if (bad.length > 0) throw new CliError('deploy_failed', `These apps ${verb} promoted: ${bad.join(', ')}.`);
  },
});

/**
 * Waits until all deployments have ended. The error of a failed deployment is stored in the field `error` of its app.
 */
async function toTheirEnd(
  ctx: Context,
  promotions: readonly (Promotion | PromotionPlan)[],
): Promise<(Promotion | PromotionPlan)[]> {
  const ended: (Promotion | PromotionPlan)[] = [];
  for (const one of promotions)
    ended.push('deployment' in one && one.deployment ? { ...one, ...(await endOf(ctx, one.deployment)) } : one);
  return ended;
}

const promotionList: ListView<Promotion | PromotionPlan> = {
  columns: [
    { header: 'app', value: ({ app }) => app, style: () => 'bold' },
    { header: 'result', value: outcomeOf, style: ({ error }) => (error === null ? undefined : 'red') },
  ],
  id: (one) => ('deployment' in one && one.deployment ? one.deployment.id : one.app),
  empty: 'No app has the same name in both environments.',
};

function outcomeOf(one: Promotion | PromotionPlan): string | null {
  if (one.error !== null) return one.error;
  if ('deployment' in one && one.deployment) return `deployment ${one.deployment.id}`;
  if ('plan' in one && one.plan) return one.plan.changes.join(' ') || 'no changes';
  return one.skipped;
}
