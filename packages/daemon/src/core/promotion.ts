/** Takes over what is live in another environment of the same project, app by app. */
import { DavitError, type PromoteInput, type Promotion, type PromotionPlan } from '@davit/api';
import type { OpContext } from '../context.ts';
import type { DeployAsk } from '../deploy/deploys.ts';
import { type AppTarget, appTarget } from '../release/app-target.ts';
import { appsOfEnvironment } from '../store/app.ts';
import { liveOf } from '../store/release.ts';
import type { Core } from './core.ts';
import { recordOf, triggerOf } from './deployment-record.ts';
import { type EnvironmentTarget, lookUp } from './lookup.ts';

/**
 * Asks for a deployment in each app; what one of them refuses is told of that one.
 * @throws DavitError not_found and invalid_input before anything was asked for; unavailable when nothing could be
 */
export async function promoteEnvironment(
  core: Core,
  ctx: OpContext,
  environment: EnvironmentTarget,
  input: PromoteInput,
): Promise<Promotion[]> {
  const results = await eachApp(core, ctx, environment, input, async (app, ask) => {
    const id = await core.deploys.request(app, ask);
    return recordOf(core, ctx, app.reference, id);
  });
  return results.map(({ done, ...rest }) => ({ ...rest, deployment: done }));
}

/** What {@link promoteEnvironment} would do. Same errors. */
export async function planPromotion(
  core: Core,
  ctx: OpContext,
  environment: EnvironmentTarget,
  input: PromoteInput,
): Promise<PromotionPlan[]> {
  const results = await eachApp(core, ctx, environment, input, (app, ask) => core.deploys.plan(app, ask));
  return results.map(({ done, ...rest }) => ({ ...rest, plan: done }));
}

interface Outcome<T> {
  app: string;
  done: T | null;
  skipped: string | null;
  error: string | null;
}

async function eachApp<T>(
  core: Core,
  ctx: OpContext,
  environment: EnvironmentTarget,
  input: PromoteInput,
  act: (app: AppTarget, ask: DeployAsk) => Promise<T>,
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
      const isFirst = outcomes.every(({ done }) => done === null);
      if (!(error instanceof DavitError) || (error.code === 'unavailable' && isFirst)) throw error;
      outcome.error = error.message;
    }
  }
  return outcomes;
}

interface Pair {
  app: AppTarget;
  from: AppTarget;
}

/** The apps to promote, by name, each with the one that its image comes from. */
function pairs({ store }: Core, { actor }: OpContext, to: EnvironmentTarget, { from, apps }: PromoteInput): Pair[] {
  const { project, slug } = to;
  if (from === slug) throw new DavitError('invalid_input', `from: must be another environment than ${slug}.`);
  const source = lookUp(store, actor, 'read', 'environment', { project: project.slug, environment: from });
  const here = appsByName(store, to.id);
  const there = appsByName(store, source.id);
  const names = apps === undefined ? [...here.keys()].filter((name) => there.get(name)?.liveDeployment) : new Set(apps);
  return [...names].sort().map((name) => ({
    app: here.get(name) ?? missing(name, to),
    from: there.get(name) ?? missing(name, source),
  }));
}

function appsByName(store: Core['store'], environmentId: number): Map<string, AppTarget> {
  return new Map(appsOfEnvironment(store, environmentId).map((row) => [row.name, appTarget(row)]));
}

function missing(name: string, { project, slug }: EnvironmentTarget): never {
  throw new DavitError('not_found', `apps: there is no app ${name} in ${project.slug}/${slug}.`);
}

/** An app that is stopped gets the image all the same: a deployment starts it. */
function whyNothingToDo({ store }: Core, app: AppTarget, from: AppTarget): string | null {
  const [mine, theirs] = [liveOf(store, app.id), liveOf(store, from.id)];
  if (app.stopped || mine === undefined || mine.image_id !== theirs?.image_id) return null;
  return `It runs this image already: deployment ${mine.id}, ${mine.tag}.`;
}
