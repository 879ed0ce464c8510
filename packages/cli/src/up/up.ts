/**
 * Implements `davit up`. Settings are saved before the push. Reason: the push starts a deployment, which must use the
 * new settings.
 */
import { type App, type Client, type Deployment, Tag } from '@davit/api';
import { type AppParams, appOf, referenceOf } from '../arguments/app.ts';
import { type Loaded, loadDavitFile } from '../davit-yaml/load.ts';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { safeLine } from '../output/safe-text.ts';
import type { Change } from '../plan/change.ts';
import { liveOf, type Observed, observe } from '../plan/observe.ts';
import { differs, type Plan, plan } from '../plan/plan.ts';
import { demandPossible } from '../plan/possible.ts';
import { imageTag, MOVING, settingsOf } from '../plan/settings.ts';
import { changeStyle, changeText } from '../plan/show.ts';
import { valuesOf } from '../plan/values.ts';
import { followDeploy } from '../progress/follow-deploy.ts';
import { LiveView } from '../progress/live-view.ts';
import { patiently } from '../progress/patiently.ts';
import { watchProgram } from '../progress/watch-program.ts';
import { addressOf, servingOf } from '../views/address.ts';
import { AfterPush, deploy } from './after-push.ts';
import { apply } from './apply.ts';
import { buildImage } from './build.ts';
import { confirmScale } from './confirm-scale.ts';
import { pushImage } from './push.ts';
import { type PushTarget, pushTarget } from './push-target.ts';
import { demandBuilder, type ImageSource, imageSource } from './release.ts';
import { Story } from './story.ts';
import { commitOf, tagFor } from './tag.ts';

interface UpOptions {
  file: string | undefined;
  tag: string | undefined;
  /** Registry to which the image is pushed. `undefined` means the registry of the instance. */
  registry: string | undefined;
  /** Whether the build context may be outside the Git repository, and the Dockerfile outside the build context. */
  allowOutsidePaths: boolean;
  noWait: boolean;
}

export interface UpResult {
  app: string;
  changes: Change[];
  /** Live deployment of the app, or the deployment that `--no-wait` started. `null` if no such deployment exists. */
  deployment: Deployment | null;
  /** Whether this command started a deployment. `false` if the release was already live. */
  deployed: boolean;
  /** URL of the app. `null` for a worker without a port. */
  url: string | null;
}

interface Run {
  ctx: Context;
  client: Client;
  loaded: Loaded;
  params: AppParams;
  observed: Observed;
  plan: Plan;
  options: UpOptions;
  story: Story;
}

/**
 * Runs `davit up`.
 * @throws CliError if a step fails. The error message lists the changes that were already made
 */
export async function up(ctx: Context, options: UpOptions): Promise<UpResult> {
  const story = new Story();
  let started: { run: Run; deployment: Deployment | null };
  try {
    // All checks run before the first change to the instance.
    demandTag(options.tag);
    const loaded = await loadDavitFile(ctx, options.file);
    const source = await imageSource(loaded, options);
    const values = valuesOf(loaded.file, ctx.env);
    if (source.kind === 'build') await demandBuilder(ctx);
    const client = await ctx.client();
    const to = source.kind === 'build' ? await pushTarget(ctx, client, options.registry) : null;
    const params = await appOf(loaded.file.app, ctx);
    const observed = await observe(client, params);
    const changes = plan(loaded.file, values, observed);
    demandPossible(loaded.file, changes, observed);
    await confirmScale(ctx, loaded, observed.app);
    const run: Run = { ctx, client, loaded, params, observed, plan: changes, options, story };
    started = { run, deployment: await prepareAndDeploy(run, source, to) };
  } catch (error) {
    throw story.failure(error, ctx.signal);
  }
  return finish(started.run, started.deployment);
}

function demandTag(tag: string | undefined): void {
  const wrong = tag === undefined ? undefined : Tag.safeParse(tag).error?.issues[0];
  if (wrong) throw new CliError('usage', `--tag ${wrong.message}. Nothing was changed.`);
}

/**
 * Waits until the deployment ends, and returns the result.
 * @param started deployment, or `null` if there was nothing to deploy
 */
async function finish(
  { ctx, client, params, plan: { changes }, options }: Run,
  started: Deployment | null,
): Promise<UpResult> {
  const followed = started === null || options.noWait ? started : await followDeploy(ctx, started);
  const [{ app, live }, serving] = await Promise.all([now(client, params), servingOf(client)]);
  return {
    app: app.reference,
    changes,
    deployment: followed ?? live,
    deployed: started !== null,
    url: addressOf(app, serving),
  };
}

async function prepareAndDeploy(run: Run, source: ImageSource, to: PushTarget | null): Promise<Deployment | null> {
  const { ctx, client, params, observed, plan: changes } = run;
  using view = await LiveView.open(ctx);
  for (const change of changes.changes) view.line(view.paint(safeLine(changeText(change)), changeStyle(change)));
  if (observed.app !== null) demandSecrets(run);
  const onDone = (what: string) => {
    run.story.add(what);
    view.line(`${view.paint('✓', 'green')} ${safeLine(what)}`);
  };
  await apply({ client, params, plan: changes, observed, signal: ctx.signal, onDone });
  // The secrets of a new app are checked after the app is created, because users cannot set secrets before.
  demandSecrets(run);
  return source.kind === 'image' || to === null ? deployImage(run) : deployBuilt(run, { ctx, source, to, view });
}

function demandSecrets({ plan: { missing }, params }: Run): void {
  if (missing.length === 0) return;
  const names = missing.join(', ');
  const set = `davit env set ${referenceOf(params)} ${missing.join(' ')} --secret`;
  throw new CliError('conflict', `These secrets have no value: ${names}. Set the values with \`${set}\`.`);
}

async function deployImage({ ctx, client, loaded, params, observed, plan: changes, options }: Run) {
  const settings = settingsOf(loaded.file, observed.app);
  const tag = options.tag ?? imageTag(settings, observed.live);
  const mayHaveMoved = settings.pull === 'always' || (settings.pull === undefined && tag === MOVING);
  const isLive = !differs(changes) && observed.live?.tag === tag && serves(observed.app);
  if (isLive && !mayHaveMoved) return null;
  return deploy(client, params, tag, ctx.signal);
}

type Building = { ctx: Context; source: ImageSource & { kind: 'build' }; to: PushTarget; view: LiveView };

async function deployBuilt(
  { client, params, loaded, options, story }: Run,
  { ctx, source, to, view }: Building,
): Promise<Deployment | null> {
  const { signal } = ctx;
  const commit = await commitOf(source.paths.context, { env: ctx.env, signal });
  const imageId = await watchProgram(view, `building ${safeLine(source.build.context)}`, (onLine) =>
    buildImage(source.build, source.paths, commit, { cwd: loaded.folder, signal, onLine }),
  );
  const tag = options.tag ?? loaded.file.tag ?? tagFor(commit, imageId);
  using after = await AfterPush.begin(client, params, signal);
  const repository = referenceOf(params);
  const digest = await watchProgram(view, `pushing ${safeLine(`${to.registry}/${repository}:${tag}`)}`, (onLine) =>
    pushImage({ imageId, registry: to.registry, repository, tag }, to.as, ctx.env.dockerConfigDir, { signal, onLine }),
  );
  story.pushed(tag);
  const { app, live } = await patiently(() => now(client, params), signal);
  // The digest and the tag must both match, because the same image with another tag is another release.
  const isKnown = digest !== null && live?.digest === digest && live.tag === tag;
  if (isKnown && serves(app)) return null;
  const started = app.autodeploy && !isKnown ? await waited(view, () => after.started(tag)) : null;
  return started ?? (await after.deploy(tag));
}

async function now(client: Client, params: AppParams): Promise<{ app: App; live: Deployment | null }> {
  const app = await client.getApp({ params });
  return { app, live: await liveOf(client, params, app) };
}

/** Returns whether the app is running with its current settings. */
function serves(app: App | null): boolean {
  return app !== null && !app.pending_changes && (app.status === 'running' || app.status === 'degraded');
}

async function waited<T>(view: LiveView, work: () => Promise<T>): Promise<T> {
  view.show((spinner) => [`${view.paint(spinner, 'cyan')} waiting for the instance to deploy the pushed image`]);
  try {
    return await work();
  } finally {
    view.clear();
  }
}
