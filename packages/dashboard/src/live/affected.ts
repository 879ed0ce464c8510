/** Finds the cached API responses that an event from the server makes outdated. */
import {
  type AppChange,
  type AppEvent,
  type DeploymentEvent,
  type InstanceChange,
  type InstanceEvent,
  isTerminal,
  type OperationId,
} from '@davit/api';
import type { AnswerKey } from '../api.ts';
import { byResource, byTask } from './affected-things.ts';
import type { Happened } from './messages.ts';

type IsAffected = (key: AnswerKey) => boolean;

/**
 * API operations whose cached responses stay valid after an event about an app. Other code updates logs and metrics,
 * and revisions never change.
 */
const APART: ReadonlySet<OperationId> = new Set(['getAppLogs', 'getAppMetrics', 'compareRevisions', 'getRevision']);

const RUNS: readonly OperationId[] = ['listRuns', 'getRun', 'listScheduleRuns'];
const SCHEDULES: readonly OperationId[] = ['listSchedules', 'getSchedule', 'listScheduleRuns'];
const CERTIFICATES: readonly OperationId[] = ['listCertificates', 'getCertificate', 'getAuthority'];
const RELEASES: readonly OperationId[] = ['listReleases', 'getRelease', 'listRepositories', 'getOwnRegistry'];

const QUOTA: readonly OperationId[] = ['getProjectQuota'];

/** API operations that return the apps that use a database. Variables, files and commands of apps affect it. */
const DATABASE_USERS: readonly OperationId[] = ['listDatabases', 'getDatabase'];

/**
 * For each kind of app change, the API operations on other resources whose responses become outdated. `listApps` is not
 * included, because each kind of app change makes its response outdated.
 */
const OUTSIDE_THE_APP: Readonly<Partial<Record<AppChange, readonly OperationId[]>>> = {
  created: ['listProjects', 'listEnvironments', 'getEnvironment', 'getProject'],
  deleted: [
    'listProjects',
    'listEnvironments',
    'getEnvironment',
    'getProject',
    'listRecentDeployments',
    'listVolumes',
    ...CERTIFICATES,
    ...DATABASE_USERS,
  ],
  settings: DATABASE_USERS,
  variables: DATABASE_USERS,
  restored: DATABASE_USERS,
  live: ['listRecentDeployments', 'listImages', ...QUOTA],
  deployments: ['listRecentDeployments', 'listImages', ...QUOTA],
  domains: CERTIFICATES,
  volumes: ['listVolumes', ...QUOTA],
  pushed: RELEASES,
  releases: RELEASES,
};

/**
 * For some kinds of app changes, the API operations on the app whose responses become outdated. Every other kind of app
 * change makes the responses of all operations on the app outdated.
 */
const ONLY_IN_THE_APP: Readonly<Partial<Record<AppChange, readonly OperationId[]>>> = {
  runs: RUNS,
  schedules: SCHEDULES,
};

const OF_THE_INSTANCE: Readonly<Partial<Record<InstanceChange, readonly OperationId[]>>> = {
  certificates: [...CERTIFICATES, 'listDomains', 'getDomain', 'getApp'],
  settings: ['getSettings', 'getInstance', 'listTemplates', 'listTemplateTags'],
  engine: ['getInstance'],
  platform_images: ['getInstance'],
  registries: ['listRegistries', 'getRegistry'],
  dns_providers: ['listDnsProviders', 'getDnsProvider'],
};

/** API operations whose cached responses stay valid after an event about the whole instance. */
const WHO: ReadonlySet<OperationId> = new Set(['getMe', 'listUsers', 'listAudit']);

/**
 * Returns a function that checks whether an event makes a cached response outdated. Returns `null` if the event makes
 * no response outdated.
 */
export function affectedBy(happened: Happened): IsAffected | null {
  if (happened.event === 'deployment') return byDeployment(happened.data);
  if (happened.event === 'app') return byApp(happened.data);
  if (happened.event === 'task') return byTask(happened.data);
  if (happened.event === 'resource') return byResource(happened.data);
  return happened.event === 'instance' ? byInstance(happened.data) : null;
}

/**
 * Returns a function that checks whether a deployment event makes a cached response outdated. `patch.ts` writes the new
 * deployment status into most cached responses, so that they stay valid.
 */
function byDeployment({ app, id, status, step }: DeploymentEvent): IsAffected | null {
  if (app === null) return null;
  const isIt: IsAffected = ([operation, { deployment }]) => operation === 'getDeployment' && deployment === String(id);
  if (isTerminal(status)) {
    const isOfApp = of(app);
    return (key) => isOfApp(key) || among(key, ['listApps', 'listRecentDeployments']);
  }
  if (step?.state === 'failed') return isIt;
  if (step !== null) return null;
  if (status === 'pending') {
    const isOfApp = of(app);
    return (key) =>
      among(key, ['listRecentDeployments']) || (isOfApp(key) && among(key, ['listDeployments', 'getApp']));
  }
  /*
   * Fetch deployment lists with a status filter again. The new status of the deployment may add the deployment to the
   * list or remove it.
   */
  return ([operation, , query]) => operation === 'listRecentDeployments' && query.status !== undefined;
}

function byApp({ app, project, environment, change }: AppEvent): IsAffected {
  if (app !== null) {
    const isOfApp = of(app);
    const only = ONLY_IN_THE_APP[change];
    if (only !== undefined) return (key) => isOfApp(key) && among(key, only);
    const otherOperations: readonly OperationId[] = ['listApps', ...(OUTSIDE_THE_APP[change] ?? [])];
    return (key) => isOfApp(key) || among(key, otherOperations);
  }
  const isWithin: IsAffected = ([operation, params]) =>
    !APART.has(operation) &&
    params.project === project &&
    (environment === null || params.environment === undefined || params.environment === environment);
  const lists: readonly OperationId[] = [
    'listProjects',
    'listApps',
    'listVolumes',
    'listDatabases',
    'listRecentDeployments',
  ];
  return (key) => isWithin(key) || among(key, lists);
}

function byInstance({ app, change }: InstanceEvent): IsAffected {
  if (app !== null) {
    const isOfApp = of(app);
    return (key) => among(key, ['listApps']) || (isOfApp(key) && among(key, ['getApp']));
  }
  const known = change === null ? undefined : OF_THE_INSTANCE[change];
  if (known !== undefined) return (key) => among(key, known);
  if (change?.startsWith('registry.')) return (key) => among(key, RELEASES);
  return ([operation, params]) => Object.keys(params).length === 0 && !WHO.has(operation);
}

function of(app: string): IsAffected {
  return ([operation, { project, environment, app: name }]) =>
    !APART.has(operation) && `${project}/${environment}/${name}` === app;
}

function among([operation]: AnswerKey, operations: readonly OperationId[]): boolean {
  return operations.includes(operation);
}
