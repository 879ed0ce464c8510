import type { AppSpec, DeploymentPhase } from '@davit/api';
import { settingsDifferences } from '../../app-spec/differences.ts';

/**
 * Steps of a deployment. The functions are pure, so that the plan that a user sees is the plan that runs.
 *
 * start-first (default): the new release starts and passes its checks before any traffic moves to it. stop-first (app
 * with a volume or a published port, which two releases cannot use at once): the old release stops before the new one
 * starts. The old release starts again if the new one fails its checks.
 */

export const STEP_NAMES = [
  'resolve',
  'pull',
  'hold',
  'network',
  'release',
  'create',
  'stop-old',
  'start',
  'check',
  'switch',
] as const;
export type StepName = (typeof STEP_NAMES)[number];

export interface PlannedStep {
  name: StepName;
  phase: DeploymentPhase;
  describe: string;
}

export interface PlanInput {
  /** Full reference of the image, `repository:tag`. */
  image: string;
  spec: AppSpec;
  /** Whether only one release can run at a time, because the app has volumes or published TCP ports. */
  exclusive: boolean;
  /** Tag of the live release and number of its replicas, or `null` if no release runs. */
  live: { tag: string; instances: number; serving: boolean } | null;
  /** Whether the engine has the image, so that no pull is necessary. */
  present: boolean;
}

export function plan(input: PlanInput): PlannedStep[] {
  const { spec, live } = input;
  const stopFirst = input.exclusive && live !== null;
  const instances = spec.scale === 1 ? 'one replica' : `${spec.scale} replicas`;
  const steps: (PlannedStep | false)[] = [
    step('resolve', 'resolving', `find ${input.image}`),
    step('pull', 'pulling', input.present ? `use the local image ${input.image}` : `pull ${input.image}`),
    step('hold', 'pulling', 'protect the image from garbage collection'),
    step('network', 'pulling', 'create the network of the environment if it is missing'),
    spec.release_command !== null &&
      step('release', 'releasing', `run ${spec.release_command.join(' ')} once with the new image`),
    step('create', 'starting', `create ${instances} of the new release`),
    stopFirst && step('stop-old', 'starting', stopping(live)),
    step('start', 'starting', 'start the new release'),
    step('check', 'checking', `wait until the new release is healthy: ${readiness(spec)}`),
    step('switch', 'switching', switching(input)),
  ];
  return steps.filter((s) => s !== false);
}

/**
 * Describes the differences from the live release, as sentences.
 * @param before the live release, or the last live release of a stopped app; `null` for the first deployment
 */
export function changes(input: PlanInput, before: { tag: string; spec: AppSpec } | null): string[] {
  if (before === null) return [`${input.image} becomes the first release.`];
  const lines = settingsDifferences(before.spec, input.spec)
    .filter(({ path }) => !NO_NEWS.has(path.split('.', 1).join()))
    .map(({ path, from, to }) => `${path}: ${inWords(from)} becomes ${inWords(to)}.`);
  const tag = input.image.slice(input.image.lastIndexOf(':') + 1);
  return [tag === before.tag ? `${tag} is deployed again.` : `${before.tag} becomes ${tag}.`, ...lines];
}

/** Settings without a line in the plan: the tag has its own line, and changes of the others are already applied. */
const NO_NEWS: ReadonlySet<string> = new Set<keyof AppSpec>(['tag', 'labels', 'scale', 'limits']);

/**
 * Returns a value as text. An absent value is the default, and differs from `null`: a port of `null`, for example,
 * means a worker.
 */
function inWords(value: unknown): string {
  return value === undefined ? 'the default' : JSON.stringify(value);
}

function step(name: StepName, phase: DeploymentPhase, describe: string): PlannedStep {
  return { name, phase, describe };
}

function readiness(spec: AppSpec): string {
  const within = `within ${spec.health.grace_s} s`;
  if (spec.health.path !== null) return `GET ${spec.health.path} returns 2xx ${within}`;
  if (spec.port === null) return 'it is still running after 3 s';
  return `the image’s HEALTHCHECK is healthy, or its port accepts a connection, ${within}`;
}

function stopping({ tag, serving }: { tag: string; serving: boolean }): string {
  if (!serving) return `wait until ${tag} has ended, because two releases cannot share its volumes or ports`;
  return `stop ${tag} first, because two releases cannot share its volumes or ports; requests wait or fail until the new release answers`;
}

function switching({ live, spec, exclusive }: PlanInput): string {
  if (spec.port === null) return live ? `stop ${live.tag}` : 'make it live';
  if (live === null || !live.serving) return 'route the traffic to the new release';
  return exclusive
    ? 'route the traffic to the new release'
    : `switch the traffic from ${live.tag} to the new release; open requests have at most ${spec.stop.drain_s} s to finish`;
}
