import { type Checked, checkTemplate } from '../check.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { Draft, DraftApp, DraftDatabase, DraftInput, DraftJob } from '../draft.ts';
import { LONGEST_SLUG } from '../rules/slug.ts';
import { type AppPlan, appOf } from './apps.ts';
import { readCompose } from './compose-file.ts';
import { databaseKind, databaseOf, type KnownDatabase, plainName } from './databases.ts';
import type { EnvMaking } from './env.ts';
import { withEnvFiles } from './env-files.ts';
import { gatesOf } from './gates.ts';
import { Hosts, type Target } from './hosts.ts';
import { Inputs } from './inputs.ts';
import { jobApp, jobOf, whyNoJob } from './jobs.ts';
import { reportLeftOut, reportRoot } from './left-out.ts';
import { type LocalFiles, LocalRoom } from './local-files.ts';
import { volumeNames } from './mounts.ts';
import { Keys, slugOf } from './names.ts';
import { type ImportNote, Notes } from './notes.ts';
import { planApps, planDependencies } from './plans.ts';
import { secretPaths } from './secret-paths.ts';
import { hostNames, linkNames, type Service, serviceRoles } from './services.ts';
import { pairsOf, textOf, type Values } from './values.ts';
import { Variables } from './variables.ts';
import { markWorkers } from './workers.ts';
import { type Comments, writeTemplate } from './write.ts';

export interface ImportOptions {
  /** Name of the Compose file. A comment in the new template contains this name. Default: `docker-compose.yml`. */
  file?: string;
  /** Project name that the template suggests to users. Default: `name` in the Compose file. */
  project?: string;
  /**
   * Name of the folder that contains the Compose file. It becomes the suggested project name if no other name is known.
   */
  folder?: string;
  /**
   * Git repository for services that are built from the Compose file's folder. Default: an example URL, with a note
   * that the user must replace the URL.
   */
  repo?: string;
  /**
   * Whether apps must have an image. Use `true` for a Davit instance, which builds no images. If a service has only a
   * `build`, a note says that it needs an image.
   */
  imagesOnly?: boolean;
  /**
   * Whether users may leave an app's domain empty if no other part of the template refers to the domain. Use `true` for
   * a Davit instance, which gives every app a default host name.
   */
  emptyDomains?: boolean;
  /**
   * Text files in the folder of the Compose file, by relative path. The import converts mounted files and reads
   * variables from files. `localPaths` returns the paths that the import needs.
   */
  files?: LocalFiles;
}

export type Imported =
  /**
   * `problems` contains the diagnostics of the new template. `manifest` is the normalized template, or `null` if a
   * diagnostic is an error.
   */
  | { ok: true; template: string; manifest: Checked['manifest']; problems: Diagnostic[]; notes: ImportNote[] }
  /** `reasons` contains the reason why each service cannot be an app. It is empty if the file is not a Compose file. */
  | { ok: false; message: string; reasons: string[] };

/**
 * Converts a Compose file to a template, and adds notes about changed and omitted keys. The same Compose file always
 * gives the same template. Never throws.
 */
export function importCompose(text: string, options: ImportOptions = {}): Imported {
  const read = readCompose(text);
  if (!read.ok) return { ...read, reasons: [read.message] };
  const notes = new Notes();
  for (const name of read.strange) notes.of(name).leftOut('service', 'The entry in `services` is not a service.');
  for (const tag of read.tags)
    notes
      .of(null)
      .leftOut(
        tag.slice(0, 60),
        'This YAML tag controls how Compose merges files. The tag is ignored, and the value is used as written.',
      );
  const made = new Importing(read.root, read.services, options, notes).make();
  const all = notes.all();
  if (made === null) return noApps(all);
  const template = writeTemplate(made, commentsOf(all, options.file ?? 'docker-compose.yml', made));
  const { manifest, diagnostics } = checkTemplate(template);
  return { ok: true, template, manifest, problems: diagnostics, notes: all };
}

/** Maximum number of reasons in the error message for a Compose file without apps. */
const MOST_REASONS = 5;

/**
 * Returns the error for a Compose file in which no service can become an app. The error contains the reason for each
 * service.
 */
function noApps(notes: readonly ImportNote[]): Imported {
  const why = notes.filter(({ key, kind, service }) => key === 'service' && kind === 'left-out' && service !== null);
  const shown = why.slice(0, MOST_REASONS).map(({ service, message }) => `${service}: ${message}`);
  const rest = why.length > shown.length ? [`And ${why.length - shown.length} more services.`] : [];
  const first = 'None of the services can be an app, so no template can be created.';
  const databases = why.length === 0 ? ['The file contains only databases.'] : [];
  const reasons = [...databases, ...why.map(({ message }) => message)];
  return { ok: false, message: [first, ...databases, ...shown, ...rest].join(' '), reasons: [...new Set(reasons)] };
}

/** State of the import of one Compose file. */
class Importing {
  readonly #root: Values;
  readonly #options: ImportOptions;
  readonly #notes: Notes;
  readonly #variables = new Variables();
  readonly #room = new LocalRoom();
  readonly #inputs = new Inputs();
  /** Names of the databases in the template. */
  readonly #names = new Keys();
  readonly #services: Service[];
  readonly #project: string;
  readonly #databases: { draft: DraftDatabase; known: KnownDatabase; service: Service }[];
  /** Map from a job to the app whose image the job uses. Both are Compose services. */
  readonly #jobs = new Map<Service, Service>();

  constructor(root: Values, found: [string, Values][], options: ImportOptions, notes: Notes) {
    this.#root = root;
    this.#options = options;
    this.#notes = notes;
    const { files = {} } = options;
    const sources = { files, room: this.#room, variables: this.#variables };
    const whole = found.map(([name, values]): [string, Values] => [
      name,
      withEnvFiles(values, sources, notes.of(name)),
    ]);
    this.#services = serviceRoles(whole, this.#variables, notes);
    const named = this.#variables.plain(textOf(root.name) ?? '');
    this.#project = slugOf(options.project ?? named, slugOf(options.folder ?? '', 'app'));
    this.#databases = this.#services.flatMap((service) => this.#databaseOf(service));
    for (const service of this.#services.filter(({ role }) => role === 'job')) this.#findApp(service);
  }

  /** Creates the template. Returns `null` if no Compose service can become an app. */
  make(): Draft | null {
    const { plans, domains, byPublished } = planApps(this.#services, this.#variables, this.#inputs);
    if (plans.length === 0) return null;
    const waiting = planDependencies(this.#services, (service) => this.#jobs.has(service));
    this.#inferPorts(plans);
    const hosts = this.#hostsOf(plans);
    const [anyDomain] = [...domains.values()].flat();
    const making = ({ key, values }: Service): EnvMaking => {
      const own = domains.get(key)?.[0] ?? anyDomain;
      const paths = secretPaths(values).flatMap(({ path }) => path ?? []);
      const databases = this.#databases.map(({ known }) => known);
      const all = own === undefined ? byPublished : new Map([...byPublished, [0, own]]);
      return { variables: this.#variables, inputs: this.#inputs, hosts, databases, domains: all, secretPaths: paths };
    };
    const apps = plans.map((plan) => {
      const { keys = [], databases = [] } = waiting.get(plan.service.key) ?? {};
      const whole = { ...plan, dependsOn: keys, databases };
      const { repo = null, imagesOnly = false, files: local = {} } = this.#options;
      const sources = { root: this.#root, build: { repo, imagesOnly }, local, room: this.#room };
      return appOf(whole, sources, making(plan.service));
    });
    const jobs = [...this.#jobs].map(([service, app]) =>
      jobOf(service, app, waiting.get(service.key) ?? { keys: [], databases: [] }, making(app)),
    );
    this.#tell();
    return this.#draftOf(apps, jobs);
  }

  #inputsOf(apps: DraftApp[], jobs: DraftJob[]): DraftInput[] {
    const inputs = this.#inputs.all();
    if (this.#options.emptyDomains !== true) return inputs;
    const texts = JSON.stringify([apps.map(({ env, envWhen, files }) => [env, envWhen, files]), jobs]);
    const mayBeEmpty = ({ type, key }: DraftInput) => type === 'domain' && !texts.includes(`\${input.${key}}`);
    return inputs.map((input) => (mayBeEmpty(input) ? { ...input, required: false } : input));
  }

  #draftOf(apps: DraftApp[], jobs: DraftJob[]): Draft {
    const inputs = this.#inputsOf(apps, jobs);
    const databases = this.#databases.map(({ draft, known }) => {
      // If a Compose service does not define a database name, the name from a database URL of an app is used.
      const name = known.name === null ? null : plainName(known.name, this.#variables);
      return name === null || draft.engine === 'redis' ? draft : { ...draft, database: name };
    });
    const parts = {
      ...(inputs.length > 0 && { inputs }),
      ...(databases.length > 0 && { databases }),
      apps,
      ...(jobs.length > 0 && { jobs }),
    };
    return {
      version: 1,
      ...gatesOf({ version: 1, project: this.#project, ...parts }),
      project: this.#project,
      ...parts,
    };
  }

  #databaseOf(service: Service) {
    const { role, image, key, values, tell: report } = service;
    const kind = image === null ? null : databaseKind(image);
    if (role !== 'database' || image === null || kind === null) return [];
    const made = databaseOf({ key, service: values, image, kind, project: this.#project }, this.#variables, report);
    const name = this.#names.take(made.draft.name ?? key, LONGEST_SLUG);
    return [{ ...made, draft: { ...made.draft, name }, service }];
  }

  #findApp(service: Service): void {
    const app = jobApp(service, this.#services);
    const why = whyNoJob(service, app, { variables: this.#variables });
    if (app !== null && why === null) this.#jobs.set(service, app);
    else {
      service.role = 'none';
      service.tell.leftOut('service', why ?? '');
    }
  }

  /**
   * Sets the ports of apps whose Compose services define no port. The port comes from the addresses with which other
   * services connect to the app.
   */
  #inferPorts(plans: AppPlan[]): void {
    const texts = this.#services.flatMap(({ values }) =>
      pairsOf(values.environment).map(([, value]) => this.#variables.plain(value ?? '')),
    );
    const ports = this.#hostsOf(plans).portsIn(texts);
    for (const plan of plans) plan.port ??= ports.get(plan.service.key) ?? plan.tcp[0]?.port ?? null;
    markWorkers(plans);
  }

  #hostsOf(plans: readonly AppPlan[]): Hosts {
    const targets = new Map<string, Target>();
    const put = (service: Service, target: Target) => {
      for (const name of hostNames(service)) if (!targets.has(name)) targets.set(name, target);
    };
    for (const { service, known } of this.#databases) put(service, { kind: 'db', database: known });
    for (const { service, port } of plans) put(service, { kind: 'app', key: service.key, port });
    for (const [alias, name] of this.#services.flatMap(({ values }) => linkNames(values))) {
      const target = targets.get(name);
      if (target !== undefined && !targets.has(alias)) targets.set(alias, target);
    }
    return new Hosts(targets);
  }

  #tell(): void {
    const sharers = new Map<string, string[]>();
    for (const { role, name, values, tell: report } of this.#services) {
      if (role !== 'none') reportLeftOut(values, role, report);
      for (const volume of role === 'app' ? volumeNames(values, this.#variables) : []) {
        sharers.set(volume, [...(sharers.get(volume) ?? []), name]);
      }
    }
    const rootReport = this.#notes.of(null);
    for (const [volume, names] of sharers) {
      if (names.length < 2) continue;
      rootReport.changed(
        'volumes',
        `${names.join(' and ')} shared the volume “${volume.slice(0, 60)}”. Now each app has its own volume.`,
      );
    }
    reportRoot(this.#root, rootReport);
  }
}

const MOST_COMMENTS = 12;

/**
 * Returns YAML comments about everything that the import omitted, for each part of the template. With these comments,
 * authors do not need the import report.
 */
function commentsOf(notes: readonly ImportNote[], file: string, { apps, databases = [], jobs = [] }: Draft): Comments {
  const lines = (service: string | null) => {
    /*
     * The template contains no YAML comment about networks. Most Compose files have networks, and a template needs no
     * replacement for networks.
     */
    const isReported = ({ kind, key }: ImportNote) => kind === 'left-out' && key !== 'networks' && key !== 'service';
    const own = notes.filter((note) => note.service === service && isReported(note));
    const shown = own.slice(0, MOST_COMMENTS).map(({ key, message }) => `Not converted: ${key}. ${message}`);
    return own.length > shown.length ? [...shown, `And ${own.length - shown.length} more.`] : shown;
  };
  const keys = new Set([...apps, ...databases, ...jobs].map(({ key }) => key));
  const without = notes.filter(({ service, key }) => service !== null && key === 'service' && !keys.has(service));
  const head = [
    `Created from ${file} by “davit template import”. Review this file, then run “davit template check”.`,
    ...lines(null),
    ...without.map(({ service, message }) => `The service ${service} was not converted. ${message}`),
  ];
  return { head, of: (_kind, key) => lines(key) };
}
