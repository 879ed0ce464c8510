/**
 * Waits until a deployment ends. Prints its steps and its result. After Ctrl-C, the deployment continues on the
 * instance.
 */
import { type Client, type Deployment, deploymentStepWords, helpPath } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { duration } from '../output/duration.ts';
import { safeLine, safeLogLine } from '../output/safe-text.ts';
import { statusWord } from '../output/words.ts';
import { AWAY } from './away.ts';
import { helpAddress } from './help-address.ts';
import { LiveView } from './live-view.ts';
import { patiently } from './patiently.ts';
import { ShownSteps } from './shown-steps.ts';
import { stepsOf, withEvent } from './steps.ts';

/** Number of log lines of the app that the CLI prints after a failed deployment. */
const SHOWN_LOG_LINES = 20;

/**
 * Waits until a deployment ends, and returns the deployment.
 * @throws CliError with exit `deploy_failed` if the deployment fails
 * @throws CliError with exit `interrupted` after Ctrl-C
 */
export async function followDeploy(ctx: Context, deployment: Deployment): Promise<Deployment> {
  using view = await LiveView.open(ctx);
  try {
    const ended = await toItsEnd(ctx, view, deployment);
    if (ended.status === 'succeeded') {
      view.line(succeeded(view, ended));
      return ended;
    }
    throw await failed(ctx, ended);
  } catch (error) {
    if (!ctx.signal.aborted) throw error;
    throw detached(deployment);
  }
}

/**
 * Returns the error for Ctrl-C. Its message contains the commands that follow or cancel the deployment, because the
 * deployment continues on the instance.
 */
function detached({ id, app }: Deployment): CliError {
  return new CliError(
    'interrupted',
    `Deployment ${id} continues in the background. Follow it: davit deployment follow ${app} ${id}. Cancel it: davit deployment cancel ${app} ${id}`,
  );
}

async function toItsEnd(ctx: Context, view: LiveView, deployment: Deployment): Promise<Deployment> {
  const client = await ctx.client();
  const params = deploymentParams(deployment);
  view.line(`Deployment ${deployment.id} of ${safeLine(deployment.app)}, ${safeLine(deployment.tag)}`);
  const shown = new ShownSteps(view, deploymentStepWords);
  const around = { signal: ctx.signal, onAway: () => view.line(AWAY) };
  for (;;) {
    for await (const { event, data } of events(client, params, shown.steps.position, around)) {
      if (event === 'deployment' && 'phase' in data) shown.show(withEvent(shown.steps, data));
      if (event === 'reset' && 'reason' in data && data.reason === 'position_gone') {
        const record = await read(client, params, ctx.signal);
        shown.show(stepsOf(record, shown.steps.position));
      }
    }
    const record = await read(client, params, ctx.signal);
    if (record.status !== 'pending' && record.status !== 'running') {
      // The API response contains all steps of the deployment, but the event stream may have missed some steps.
      shown.show(stepsOf(record, shown.steps.position));
      shown.end();
      return record;
    }
  }
}

interface DeploymentParams {
  project: string;
  environment: string;
  app: string;
  deployment: string;
}

/** Returns the path parameters of the API requests about a deployment. */
export function deploymentParams({ app, id }: Deployment): DeploymentParams {
  const [project = '', environment = '', name = ''] = app.split('/');
  return { project, environment, app: name, deployment: String(id) };
}

/**
 * Yields the events of a deployment. If the first connection fails, tries again. The API client reconnects after later
 * failures.
 */
async function* events(
  client: Client,
  params: DeploymentParams,
  position: number | null,
  around: { signal: AbortSignal; onAway: () => void },
) {
  const query = position === null ? {} : { after: String(position) };
  const open = () => client.live.followDeployment({ params, query, ...around });
  const stream = await patiently(async () => {
    const opened = open();
    return { first: await opened.next(), rest: opened };
  }, around.signal);
  if (stream.first.done) return;
  yield stream.first.value;
  yield* stream.rest;
}

function read(client: Client, params: DeploymentParams, signal: AbortSignal): Promise<Deployment> {
  return patiently(() => client.getDeployment({ params, signal }), signal);
}

function succeeded({ paint }: LiveView, { tag, app, duration_ms }: Deployment): string {
  const took = duration_ms === null ? '' : ` in ${duration(duration_ms)}`;
  return `${paint('✓', 'green')} ${safeLine(tag)} of ${safeLine(app)} is live${took}.`;
}

/** Prints the last log lines of a failed deployment. Returns an error with the reason for the failure. */
async function failed(ctx: Context, deployment: Deployment): Promise<CliError> {
  const { out } = ctx;
  const { id, app, status, error, error_code, log = [], superseded_by } = deployment;
  if (!out.isJson && log.length > 0) {
    out.explain('Last log lines:');
    for (const line of log.slice(-SHOWN_LOG_LINES)) out.explain(`  │ ${safeLogLine(line, false)}`);
  }
  const why = error === null ? '' : `: ${error}`;
  const newer = superseded_by === null ? '' : ` Deployment ${superseded_by} replaced it.`;
  return new CliError('deploy_failed', `Deployment ${id} of ${app} ${statusWord(status)}${why}${newer}`, {
    help: await helpAddress(ctx, helpPath(error_code)),
  });
}
