/** Promotes the live releases of one environment to the apps of another environment in the same project. */
import {
  DavitError,
  invalidField,
  isUnavailable,
  type PromoteInput,
  type Promotion,
  type PromotionPlan,
} from '@davit/api';
import { type AppTarget, appTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import { type EnvironmentTarget, lookUp } from '../../authorization/lookup.ts';
import { appsOfEnvironment } from '../../db/tables/app.ts';
import { liveOf } from '../../db/tables/release.ts';
import type { DeployRequest } from './deploys.ts';
import type { DeploymentsDeps } from './deps.ts';
import { deploymentRecord, triggerOf } from './record.ts';

/**
 * Requests a deployment for each app of a promotion. If the deployment of an app is refused, the result for this app
 * contains the error.
 * @throws DavitError not_found, invalid_input, unavailable, only if no app was deployed
 */
export async function promoteEnvironment(
  core: DeploymentsDeps,
  ctx: OpContext,
  environment: EnvironmentTarget,
  input: PromoteInput,
): Promise<Promotion[]> {
  const results = await eachApp(core, ctx, environment, input, async (app, request) => {
    const [id] = await core.deploys.requestWith(() => {
      // Check the user's permissions before each app, because the user may lose permissions during the promotion.
      core.store.trail.demandRights();
      return [{ app, ask: request }];
    });
    /*
     * `requestWith` returns one id for each requested deployment. This call requests one deployment, so `id` is always
     * a number.
     */
    return deploymentRecord(core, ctx, app.reference, id as number);
  });
  return results.map(({ done, ...rest }) => ({ ...rest, deployment: done }));
}

/**
 * Returns a deployment plan or an error for each app of a promotion. The function changes nothing.
 * @throws DavitError not_found, invalid_input, unavailable, only if no app has a plan
 */
export async function planPromotion(
  core: DeploymentsDeps,
  ctx: OpContext,
  environment: EnvironmentTarget,
  input: PromoteInput,
): Promise<PromotionPlan[]> {
  const results = await eachApp(core, ctx, environment, input, (app, request) => core.deploys.plan(app, request));
  return results.map(({ done, ...rest }) => ({ ...rest, plan: done }));
}

interface Outcome<T> {
  app: string;
  done: T | null;
  skipped: string | null;
  error: string | null;
}

async function eachApp<T>(
  core: DeploymentsDeps,
  ctx: OpContext,
  environment: EnvironmentTarget,
  input: PromoteInput,
  act: (app: AppTarget, ask: DeployRequest) => Promise<T>,
): Promise<Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  for (const { app, from } of pairs(core, ctx, environment, input)) {
    const skipped = whyNothingToDo(core, app, from);
    const outcome: Outcome<T> = { app: app.reference, done: null, skipped, error: null };
    outcomes.push(outcome);
    if (skipped !== null) continue;
    try {
      outcome.done = await act(app, { from, trigger: triggerOf(ctx, 'promote') });
    } catch (error) {
      // Check the user's permissions again. If the user has lost the permissions, the whole promotion fails.
      core.store.trail.demandRights();
      const isFirst = outcomes.every(({ done }) => done === null);
      if (!(error instanceof DavitError) || (isUnavailable(error) && isFirst)) throw error;
      // The promotion continues with the next app. The result for this app contains the error.
      outcome.error = error.message;
    }
  }
  return outcomes;
}

interface Pair {
  app: AppTarget;
  from: AppTarget;
}

/**
 * Returns the apps to promote, sorted by name. Each result contains the app to deploy, and the app from which the
 * promotion copies the image.
 */
function pairs(
  { store }: DeploymentsDeps,
  { actor }: OpContext,
  to: EnvironmentTarget,
  { from, apps }: PromoteInput,
): Pair[] {
  const { project, slug } = to;
  if (from === slug) throw invalidField('from', 'not_allowed', `must not be the target environment ${slug}.`);
  const source = lookUp(store, actor, 'read', 'environment', { project: project.slug, environment: from });
  const here = appsByName(store, to.id);
  const there = appsByName(store, source.id);
  const names = apps === undefined ? [...here.keys()].filter((name) => there.get(name)?.liveDeployment) : new Set(apps);
  return [...names].sort().map((name) => ({
    app: here.get(name) ?? missing(name, to),
    from: there.get(name) ?? missing(name, source),
  }));
}

function appsByName(store: DeploymentsDeps['store'], environmentId: number): Map<string, AppTarget> {
  return new Map(appsOfEnvironment(store, environmentId).map((row) => [row.name, appTarget(row)]));
}

function missing(name: string, { project, slug }: EnvironmentTarget): never {
  throw invalidField('apps', 'not_found', `The app ${name} does not exist in ${project.slug}/${slug}.`, {
    code: 'not_found',
  });
}

/**
 * Returns the reason why a promotion skips an app, or `null`. A stopped app is never skipped, because the deployment
 * starts the app again.
 */
function whyNothingToDo({ store }: DeploymentsDeps, app: AppTarget, from: AppTarget): string | null {
  const [mine, theirs] = [liveOf(store, app.id), liveOf(store, from.id)];
  if (app.stopped || mine === undefined || mine.image_id !== theirs?.image_id) return null;
  return `The app already runs this image: deployment ${mine.id}, tag ${mine.tag}.`;
}
