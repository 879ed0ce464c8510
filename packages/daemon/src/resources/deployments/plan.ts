import {
  type AppSpec,
  type DeploymentPhase,
  type DeploymentStepName,
  isDigest,
  type RevisionComparison,
  SETTINGS_OF_THE_APP,
  tagOfName,
} from '@davit/api';
import { settingsDifferences } from '../../app-spec/differences.ts';
import { namesSentence } from './names-sentence.ts';

/**
 * Computes the steps of a deployment. Deployment plans and deployments use the same functions, so a deployment always
 * has the same steps as its plan. The functions are pure.
 */

export interface PlannedStep {
  name: DeploymentStepName;
  phase: DeploymentPhase;
  describe: string;
}

export interface PlanInput {
  /** Image name with its tag, `repository:tag`, or with its digest. */
  image: string;
  spec: AppSpec;
  /**
   * Whether the old and the new release must not run at the same time. This is the case if the app has a volume or a
   * published TCP port.
   */
  exclusive: boolean;
  /**
   * Live release, or `null` if no release runs. `serving` is `false` if the app is stopped but some of its containers
   * still run.
   */
  live: { tag: string; instances: number; serving: boolean } | null;
  /** `true` if Docker already has the image, so that no pull of the image is necessary. */
  present: boolean;
}

export function plan(input: PlanInput): PlannedStep[] {
  const { spec, live } = input;
  /*
   * By default, the old release stops when the new release is healthy. If the old release must stop first and the
   * deployment fails, Davit starts the old release again.
   */
  const stopFirst = input.exclusive && live !== null;
  const instances = spec.scale === 1 ? 'one replica' : `${spec.scale} replicas`;
  const steps: (PlannedStep | false)[] = [
    step('resolve', 'resolving', `find the image ${input.image}`),
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

/** Tag and settings of the live release, or of the last live release of a stopped app. */
interface LiveSettings {
  tag: string;
  spec: AppSpec;
}

/**
 * Describes each difference between the new release and the live release in one sentence.
 * @param before `null` for the first deployment
 */
export function changes(input: PlanInput, before: LiveSettings | null): string[] {
  if (before === null) return [`${input.image} becomes the first release.`];
  const lines = changedSettings(input, before).map(
    ({ path, from, to }) => `${path} changes from ${inWords(from)} to ${inWords(to)}.`,
  );
  return [tagChange(input, before), ...lines];
}

/**
 * Describes what a rollback restores and changes. Contains only the names of settings, because an earlier revision can
 * differ in many long settings, such as files.
 */
export function rollbackChanges(
  input: PlanInput,
  before: LiveSettings | null,
  restored: { deployment: number; tag: string; revision: number },
): string[] {
  const { deployment, tag, revision } = restored;
  const what = `The rollback restores deployment ${deployment}: tag ${tag}, revision ${revision}.`;
  if (before === null) return [what];
  const paths = changedSettings(input, before).map(({ path }) => path);
  return [what, tagChange(input, before), ...namesSentence('Changed settings', paths)];
}

function tagChange({ image }: PlanInput, before: LiveSettings): string {
  const tag = tagOfName(image);
  const what = isDigest(tag) ? 'digest' : 'tag';
  return tag === before.tag ? `The ${what} ${tag} is deployed again.` : `The tag changes from ${before.tag} to ${tag}.`;
}

function changedSettings({ spec }: PlanInput, before: LiveSettings): RevisionComparison['settings'] {
  const differences = settingsDifferences(before.spec, spec);
  return differences.filter(({ path }) => !UNLISTED_SETTINGS.has(path.split('.', 1).join()));
}

/**
 * Settings that a deployment plan does not include in the list of changes. The plan has a separate sentence about the
 * tag. Labels, limits and scale are not listed, because they do not belong to a release.
 */
const UNLISTED_SETTINGS: ReadonlySet<string> = new Set(['tag', ...SETTINGS_OF_THE_APP]);

/**
 * Returns a setting as text for users. The value `undefined` means that the setting has its default. The value `null`
 * is a normal value of the setting. For example, an app without a port has the port `null`.
 */
function inWords(value: unknown): string {
  return value === undefined ? 'the default' : JSON.stringify(value);
}

function step(name: DeploymentStepName, phase: DeploymentPhase, describe: string): PlannedStep {
  return { name, phase, describe };
}

function readiness(spec: AppSpec): string {
  const within = `within ${spec.health.grace_s} s`;
  if (spec.health.path !== null) return `GET ${spec.health.path} returns 2xx ${within}`;
  if (spec.port === null) return 'the container is still running after 3 s';
  return `the image’s HEALTHCHECK is healthy, or the port of the app accepts a connection, ${within}`;
}

function stopping({ tag, serving }: { tag: string; serving: boolean }): string {
  if (!serving) return `wait until ${tag} has ended, because two releases cannot use the same volumes or ports`;
  return `stop ${tag} first, because two releases cannot use the same volumes or ports; requests wait or fail until the new release answers`;
}

function switching({ live, spec, exclusive }: PlanInput): string {
  if (spec.port === null) return live ? `stop ${live.tag}` : 'make the new release live';
  if (live === null || !live.serving) return 'route the traffic to the new release';
  return exclusive
    ? 'route the traffic to the new release'
    : `switch the traffic from ${live.tag} to the new release; open requests have at most ${spec.stop.drain_s} s to finish`;
}
