/**
 * Computes the resources of an installation from a template and from the user's inputs and names. Placeholders are
 * replaced later.
 */
import { type AppCreate, DEFAULT_PIDS, type InstallProblem, oneSpelling, withTag } from '@davit/api';
import {
  appSettings,
  inputAlone,
  type Manifest,
  type ManifestApp,
  type ManifestDatabase,
  type ManifestStore,
} from '@davit/template/parts';
import type { Answers } from './answers.ts';
import { type ChosenManifest, chosenOf } from './chosen.ts';
import type { AppValues } from './references.ts';

/** Names that the user chose for a template's resources. Each field maps a key in the template to the chosen name. */
export interface Names {
  databases: Readonly<Record<string, string>>;
  stores: Readonly<Record<string, string>>;
  apps: Readonly<Record<string, string>>;
}

/**
 * Name of each kind of resource in error messages: name of the API field, singular and plural. In template files, the
 * name of the field `object_stores` is `stores`.
 */
export const PART_WORDS = {
  databases: { field: 'databases', singular: 'database', plural: 'databases' },
  stores: { field: 'object_stores', singular: 'object store', plural: 'object stores' },
  apps: { field: 'apps', singular: 'app', plural: 'apps' },
} as const satisfies Record<keyof Names, { field: string; singular: string; plural: string }>;

export interface InstallTarget {
  project: string;
  environment: string;
}

export interface WantedDatabase extends Omit<ManifestDatabase, 'when'> {
  reference: string;
  /**
   * Reference (`project/environment/name`) of the existing database that the installation uses. `null` means that the
   * installation creates a new database.
   */
  adopt: string | null;
}

export interface WantedStore extends Omit<ManifestStore, 'when'> {
  reference: string;
}

export interface WantedApp {
  key: string;
  name: string;
  reference: string;
  /** API request that creates the app. It omits the fields that can contain template references. */
  create: Omit<AppCreate, 'command' | 'args' | 'files' | 'release_command'>;
  /**
   * Release command of the app, or `null`. Davit runs this command in the new image before the app starts. The template
   * defines the command as a job.
   */
  releaseCommand: string[] | null;
  command: string[] | null;
  args: string[] | null;
  files: { path: string; content: string; mode: string }[];
  /** Variables of the app. References in their values are not replaced yet. */
  env: Readonly<Record<string, string>>;
  domains: { host: string; port: number }[];
  attach: { kind: 'database' | 'store'; key: string; bucket: string | null; prefix: string }[];
  volumes: string[];
  /** Published TCP ports of the app. Davit chooses the host port if `host` is `null`. */
  tcp: { container: number; host: number | null }[];
  /** Keys of apps and jobs in the template. These apps and jobs must be ready before this app is deployed. */
  after: readonly string[];
  /** Warnings about instructions of the template that this Davit version does not support. */
  undone: string[];
}

export interface Wanted extends InstallTarget {
  databases: WantedDatabase[];
  stores: WantedStore[];
  apps: WantedApp[];
  jobs: ChosenManifest['jobs'];
  /**
   * Map from an app's key in the template to values. The values replace placeholders that refer to the app, for example
   * its host name.
   */
  values: Readonly<Record<string, AppValues>>;
}

export interface WantedInput {
  manifest: Manifest;
  answers: Answers;
  names: Names;
  place: InstallTarget;
  /**
   * Map from a database's key in the template to the existing database (`project/environment/name`) that the
   * installation uses.
   */
  adopt: Readonly<Record<string, string>>;
}

const USUAL_PORT = 8080;

export function wantedOf({ manifest, answers, names, place: target, adopt }: WantedInput): Wanted {
  const chosen = chosenOf(manifest, answers);
  const at = `${target.project}/${target.environment}`;
  const databases = chosen.databases.map(({ when: _, ...database }) => {
    const name = own(names.databases, database.key) ?? database.name;
    const adopted = own(adopt, database.key) ?? null;
    return { ...database, name, reference: adopted ?? `${at}/${name}`, adopt: adopted };
  });
  const stores = chosen.stores.map(({ when: _, ...store }) => {
    const name = own(names.stores, store.key) ?? store.name;
    return { ...store, name, reference: name };
  });
  const apps = chosen.apps.map((app) =>
    wantedApp(app, own(names.apps, app.key) ?? app.name, target, answers, chosen.jobs),
  );
  const values = Object.fromEntries(apps.map((app) => [app.key, valuesOf(app, target)]));
  return { ...target, databases, stores, apps, jobs: chosen.jobs, values };
}

function wantedApp(
  app: ChosenManifest['apps'][number],
  name: string,
  target: InstallTarget,
  answers: Answers,
  jobs: ChosenManifest['jobs'],
): WantedApp {
  const { autoscale, depends_on: after = [] } = app;
  const job = jobs.find((one) => one.app === app.key && one.on !== 'update' && after.includes(one.key));
  const { command, args, image, health, limits, ...settings } = appSettings(app);
  return {
    key: app.key,
    name,
    reference: `${target.project}/${target.environment}/${name}`,
    create: {
      ...{ ...target, name, ...settings, image: oneSpelling(image), labels: {} },
      health: { ...health, interval_ms: 500, timeout_ms: 5_000, grace_s: GRACE_S, successes: 1 },
      stop: { signal: 'SIGTERM', drain_s: 30, grace_s: 10 },
      limits: { ...limits, pids: DEFAULT_PIDS },
    },
    releaseCommand: job?.command ?? null,
    ...{ command, args },
    files: app.files ?? [],
    env: app.env,
    // Omit an optional domain of the template if the user did not answer its input.
    domains: app.domains.flatMap(({ host, port }) => {
      const answer = answerTo(host, answers);
      return answer === '' ? [] : [{ host: answer, port }];
    }),
    attach: app.attach.map(({ when: _, ...attachment }) => attachment),
    volumes: app.volumes.map(({ path }) => path),
    tcp: app.tcp.map(({ port, host }) => ({ container: port, host: hostPort(host, answers) })),
    after,
    undone: autoscale === null ? [] : [`no autoscaling: the scale is ${settings.scale}`],
  };
}

/** Returns the image of an app with its tag or digest. */
export function wantedImage({ create: { image, tag } }: Pick<WantedApp, 'create'>): string {
  return withTag(image ?? '', tag ?? 'latest');
}

/**
 * Grace period of health checks in seconds. It is long because many applications create their database tables at their
 * first start.
 */
const GRACE_S = 600;

function answerTo(text: string, answers: Answers): string {
  const key = inputAlone(text.trim());
  return key === null ? text.trim() : (own(answers, key) ?? '');
}

/**
 * Returns the TCP port of the server for a port of a container. Returns `null` if Davit must choose the port. Davit
 * chooses if the template or the user gives no port or 0.
 */
function hostPort(host: string | null, answers: Answers): number | null {
  const text = host === null ? '' : answerTo(host, answers);
  return text === '' || Number(text) === 0 ? null : Number(text);
}

function valuesOf({ name, create, domains }: WantedApp, { project, environment }: InstallTarget): AppValues {
  const internal = `${name}.${environment}.${project}.internal`;
  return { internal, host: domains[0]?.host ?? internal, port: String(create.port ?? USUAL_PORT) };
}

/** Returns a problem for each chosen name whose key is not in the template. */
export function nameProblems({ databases, stores, apps }: Manifest, names: Names): InstallProblem[] {
  const kinds = { databases, stores, apps };
  return (['databases', 'stores', 'apps'] as const).flatMap((kind) => {
    const known = new Set(kinds[kind].map(({ key }) => key));
    return Object.keys(names[kind])
      .filter((key) => !known.has(key))
      .map((key) => ({
        field: `names.${PART_WORDS[kind].field}.${key}`,
        code: 'unknown',
        message: 'The template has no database, object store or app with this key.',
      }));
  });
}

export function own<T>(things: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(things, key) ? things[key] : undefined;
}

export type { ManifestApp };
