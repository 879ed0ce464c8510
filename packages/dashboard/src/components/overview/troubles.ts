/** Collects the problems that the overview page shows, such as failed deployments. Errors come before warnings. */
import {
  type App,
  type Certificate,
  count,
  type Database,
  type Deployment,
  type Instance,
  type ObjectStore,
  type OwnRegistry,
  type Task,
  type TemplateInstall,
} from '@davit/api';
import { appPath, databasePath, paths } from '../../paths.ts';
import { servingOf, wantedOf } from '../apps/app-facts.ts';
import { failedCreations } from '../tasks/creations.ts';
import { subjectPage } from '../tasks/task-words.ts';

export interface Trouble {
  key: string;
  tone: 'error' | 'warning';
  what: string;
  /** Cause of the problem, usually an error message of the server. `null` if the cause is unknown. */
  why: string | null;
  /**
   * Link to the dashboard page where the user can solve the problem. The fields are the URL, its query parameters, and
   * the link text.
   */
  to: string;
  search?: Record<string, string>;
  mend: string;
}

export interface Sight {
  apps: readonly App[];
  instance: Instance;
  /** The fields below are `undefined` until the page has loaded their data. */
  registry?: OwnRegistry | undefined;
  certificates?: readonly Certificate[] | undefined;
  databases?: readonly Database[] | undefined;
  objectStores?: readonly ObjectStore[] | undefined;
  installs?: readonly TemplateInstall[] | undefined;
  /** Tasks of all resources, newest first. */
  tasks?: readonly Task[] | undefined;
  deployments?: readonly Deployment[] | undefined;
  /** Error of the request for the optional fields, if the request has failed. These fields are then missing. */
  loadError?: Error | null | undefined;
  now: number;
}

const DAY_MS = 86_400_000;
/**
 * If an uploaded certificate expires within this time in milliseconds, the page shows a warning. The time is long,
 * because users must replace the certificate.
 */
const SOON_MS = 21 * DAY_MS;
/**
 * If a managed certificate expires within this time in milliseconds, the page shows a warning. The time is short,
 * because Davit renews the certificate.
 */
const LATE_MS = 5 * DAY_MS;

export function troublesOf(sight: Sight): Trouble[] {
  const all = [
    ...loadTroubles(sight.loadError),
    ...engineTroubles(sight.instance),
    ...sight.apps.flatMap(appTrouble),
    ...(sight.databases ?? []).flatMap(databaseTrouble),
    ...(sight.objectStores ?? []).flatMap(storeTrouble),
    ...creationTroubles(sight),
    ...installTroubles(sight.installs ?? []),
    ...registryTroubles(sight.registry),
    ...diskTroubles(sight.instance),
    ...deploymentTroubles(sight.deployments ?? []),
    ...(sight.certificates ?? []).flatMap((certificate) => certificateTrouble(certificate, sight.now)),
    ...sight.instance.warnings.map(warning),
  ];
  const rank = ({ tone }: Trouble) => (tone === 'error' ? 0 : 1);
  return all.sort((a, b) => rank(a) - rank(b));
}

/** Adds a problem that says that data is missing. Without this problem, the list of problems would look complete. */
function loadTroubles(error: Error | null | undefined): Trouble[] {
  if (!error) return [];
  const what = 'Cannot check all parts of the instance';
  return [{ key: 'load', tone: 'warning', what, why: error.message, to: paths.settings(), mend: 'View instance' }];
}

function engineTroubles({ engine }: Instance): Trouble[] {
  if (engine.available) return [];
  return [
    {
      key: 'engine',
      tone: 'error',
      what: 'Docker does not respond',
      why: 'Running apps are not affected. You cannot deploy, start or inspect apps until Docker responds.',
      to: paths.settings(),
      mend: 'View instance',
    },
  ];
}

function appTrouble(app: App): Trouble[] {
  if (app.status !== 'down' && app.status !== 'degraded') return [];
  const common = { key: `app ${app.reference}`, to: paths.app(appPath(app.reference)), mend: 'View app' };
  const serving = app.status === 'down' ? 'No replica is healthy.' : servingSentence(app);
  const why = app.status_reason ?? serving;
  return [
    { ...common, tone: app.status === 'down' ? 'error' : 'warning', what: `${app.reference} is ${app.status}`, why },
  ];
}

function databaseTrouble({ reference, status, status_reason: why }: Database): Trouble[] {
  if (status !== 'down' && status !== 'degraded' && status !== 'failed') return [];
  return [
    {
      key: `database ${reference}`,
      tone: status === 'degraded' ? 'warning' : 'error',
      what: `The database ${reference} ${status === 'failed' ? 'could not be created' : `is ${status}`}`,
      why,
      to: paths.database(databasePath(reference)),
      mend: 'View database',
    },
  ];
}

function storeTrouble({ name, status, status_reason: why }: ObjectStore): Trouble[] {
  if (status !== 'down' && status !== 'degraded' && status !== 'failed') return [];
  return [
    {
      key: `object store ${name}`,
      tone: status === 'degraded' ? 'warning' : 'error',
      what: `The object store ${name} ${status === 'failed' ? 'could not be created' : `is ${status}`}`,
      why,
      to: paths.objectStore({ object_store: name }),
      mend: 'View object store',
    },
  ];
}

/** Returns problems for databases and object stores that do not exist, because their creation failed. */
function creationTroubles({ tasks = [], databases, objectStores, now }: Sight): Trouble[] {
  const existing = {
    database: databases?.map(({ reference }) => reference),
    object_store: objectStores?.map(({ name }) => name),
  };
  return failedCreations(tasks, existing, now).map(
    ({ id, subject, error }): Trouble => ({
      key: `task ${id}`,
      tone: 'error',
      what: `The ${subject.kind === 'database' ? 'database' : 'object store'} ${subject.name} could not be created`,
      why: error,
      to: subjectPage(subject) ?? paths.task({ task: id }),
      mend: 'View error',
    }),
  );
}

/**
 * Returns problems for failed installations. A failed installation is ignored if a later installation with the same
 * title in the same project and environment succeeded, because the later installation has replaced it.
 */
function installTroubles(installs: readonly TemplateInstall[]): Trouble[] {
  const succeeded = installs.filter(({ status }) => status !== 'failed' && status !== 'installing');
  const placeOf = ({ title, project, environment }: TemplateInstall) => `${project}/${environment}/${title}`;
  const isReplaced = (install: TemplateInstall) =>
    succeeded.some((other) => other.id > install.id && placeOf(other) === placeOf(install));
  return installs
    .filter((install) => install.status === 'failed' && !isReplaced(install))
    .map(({ id, title, project, environment, error }) => ({
      key: `install ${id}`,
      tone: 'error',
      what: `The installation of ${title} in ${project}/${environment} failed`,
      why: error,
      to: paths.install({ install: id }),
      mend: 'View installation',
    }));
}

function servingSentence(app: App): string {
  const serving = servingOf(app);
  const wanted = wantedOf(app);
  return `Healthy replicas: ${serving} of ${wanted}.`;
}

function registryTroubles(registry: OwnRegistry | undefined): Trouble[] {
  if (registry === undefined || registry.status !== 'unavailable') return [];
  const what = 'The registry is not running';
  return [{ key: 'registry', tone: 'error', what, why: registry.problem, to: paths.registry(), mend: 'View registry' }];
}

function diskTroubles({ disk }: Instance): Trouble[] {
  if (disk === null || disk.state === 'ok') return [];
  const isFull = disk.state === 'refusing';
  return [
    {
      key: 'disk',
      tone: isFull ? 'error' : 'warning',
      what: isFull ? 'The disk is full' : 'The disk is almost full',
      why: isFull
        ? `Deployments are refused until there is free space at ${disk.path}.`
        : `Deployments are refused when too little space is free at ${disk.path}.`,
      to: paths.registry(),
      search: { tab: 'images' },
      mend: 'Free up space',
    },
  ];
}

/**
 * Returns problems for apps whose last deployment failed. Earlier failed deployments are ignored, because a later
 * deployment has replaced them.
 */
function deploymentTroubles(deployments: readonly Deployment[]): Trouble[] {
  const seen = new Set<string>();
  return deployments.flatMap((deployment) => {
    const { app, id, tag, status, error } = deployment;
    if (seen.has(app)) return [];
    seen.add(app);
    if (status !== 'failed') return [];
    return [
      {
        key: `deployment ${id}`,
        tone: 'warning',
        what: `The last deployment of ${app} failed (${tag})`,
        why: error,
        to: paths.appDeployment({ ...appPath(app), deployment: id }),
        mend: 'View error',
      },
    ];
  });
}

function certificateTrouble(certificate: Certificate, now: number): Trouble[] {
  const { id, hosts, status, problem, used_by } = certificate;
  const left = Date.parse(certificate.not_after) - now;
  const isOver = status === 'expired' || left <= 0;
  const isSoon = left < (certificate.renews_at === null ? SOON_MS : LATE_MS);
  if (used_by.length === 0 || (!isOver && !isSoon && problem === null)) return [];
  const name = hosts.join(', ');
  const days = count(Math.max(1, Math.floor(left / DAY_MS)), 'day');
  return [
    {
      key: `certificate ${id}`,
      tone: isOver ? 'error' : 'warning',
      what: isOver
        ? `The certificate for ${name} has expired`
        : isSoon
          ? `The certificate for ${name} expires in ${days}`
          : `The certificate for ${name} could not be renewed`,
      why: problem,
      to: paths.certificates(),
      mend: 'View certificates',
    },
  ];
}

function warning(sentence: string): Trouble {
  return { key: sentence, tone: 'warning', what: sentence, why: null, to: paths.settings(), mend: 'View settings' };
}
