import type { DraftApp, DraftAttachment, DraftDomain, DraftFile, DraftTcpPort } from '../draft.ts';
import { databaseVariables } from '../rules/attachment-variables.ts';
import { MOST_COPIES } from '../rules/copies.ts';
import { wordsOfCommand } from './command-line.ts';
import type { KnownDatabase } from './databases.ts';
import { type EnvMaking, envOf, fillText } from './env.ts';
import { configFilesOf, distinctFiles, mountedFilesOf } from './files.ts';
import { healthOf } from './health.ts';
import { limitsOf } from './limits.ts';
import type { LocalFiles, LocalRoom } from './local-files.ts';
import type { Port } from './ports.ts';
import { secretFilesOf } from './secret-files.ts';
import type { Service } from './services.ts';
import { type BuildOptions, sourceOf } from './source.ts';
import { at, textOf, type Values } from './values.ts';
import { volumesOf } from './volumes.ts';

/**
 * Data about an app that the import of a Compose file collects. All this data is collected before the first app is
 * created.
 */
export interface AppPlan {
  service: Service;
  port: number | null;
  /** Whether the app is a worker, which receives no requests. */
  isWorker: boolean;
  domains: DraftDomain[];
  tcp: DraftTcpPort[];
  /** Keys of apps and jobs that must be ready before the app starts. */
  dependsOn: string[];
  /** Keys of the databases from `depends_on` of the Compose service. */
  databases: string[];
}

/** Data that is necessary to create an app, in addition to its Compose service. */
export interface AppSources {
  /** Top-level YAML mapping of the Compose file. */
  root: Values;
  build: BuildOptions;
  /** Files in the folder of the Compose file. */
  local: LocalFiles;
  /** Remaining size of the template that is available for local files. */
  room: LocalRoom;
}

/** Creates an app of a template from a Compose service. */
export function appOf(plan: AppPlan, { root, build, local, room }: AppSources, making: EnvMaking): DraftApp {
  const { service, port, isWorker, domains, tcp, dependsOn } = plan;
  const { key, slug: name, values, tell: report } = service;
  const { variables } = making;
  const { env, databases } = envOf(values, plan.databases, making, report);
  const volumes = volumesOf(values, local, variables, report);
  const files = filesOf(service, { root, files: local, room, variables, volumes }, making);
  /*
   * The databases in `depends_on` of the Compose service are attached to the app. A database is not attached if a
   * variable already refers to it.
   */
  const attach = attachments(
    making.databases.filter(({ key }) => plan.databases.includes(key) && !databases.has(key)),
    service,
  );
  const health = healthOf(values, port ?? undefined, variables, report);
  const limits = limitsOf(values, variables, report);
  const scale = scaleOf(values, volumes.length > 0 || tcp.length > 0, service);
  return {
    key,
    ...(name !== key && { name }),
    ...sourceOf(service, build, variables),
    ...commandsOf(service, making),
    ...(port !== null && { port }),
    ...(isWorker && { worker: true }),
    ...(health !== undefined && { health }),
    ...(domains.length > 0 && { domains }),
    ...(tcp.length > 0 && { tcp }),
    ...(attach.length > 0 && { attach }),
    ...(volumes.length > 0 && { volumes }),
    ...(files.length > 0 && { files }),
    ...(dependsOn.length > 0 && { depends_on: dependsOn }),
    ...(limits !== undefined && { limits }),
    ...(scale !== null && { scale }),
    ...(Object.keys(env).length > 0 && { env }),
  };
}

function filesOf(
  { values, tell: report }: Service,
  sources: Parameters<typeof configFilesOf>[1],
  making: EnvMaking,
): DraftFile[] {
  const configs = configFilesOf(values, sources, report).map(({ isRaw, ...file }) =>
    isRaw ? file : { ...file, content: fillText(file.content, making) },
  );
  const secrets = secretFilesOf(values, { ...making, root: sources.root }, sources.volumes, report);
  return distinctFiles([...mountedFilesOf(values, sources, report), ...configs, ...secrets]);
}

function commandsOf({ values, tell: report }: Service, making: EnvMaking): Pick<DraftApp, 'command' | 'args'> {
  const words = (key: 'entrypoint' | 'command') => filledWords(wordsOfCommand(values[key], making.variables), making);
  const [entrypoint, args] = [words('entrypoint'), words('command')];
  const command = entrypoint?.[0] === '' ? null : entrypoint;
  if (command !== entrypoint) report.leftOut('entrypoint', 'The entry point of the image cannot be removed.');
  if (command !== null) report.carried('entrypoint', 'Converted to `command`.');
  if (args !== null) report.carried('command', 'Converted to `args`.');
  return { ...(command !== null && { command }), ...(args !== null && { args }) };
}

/** Replaces Compose variables and host names in a command with template references. */
export function filledWords(words: string[] | null, making: EnvMaking): string[] | null {
  return words === null ? null : words.map((word) => fillText(word, making));
}

/** Attaches databases to an app, so that the app gets variables such as `DATABASE_URL`. */
function attachments(databases: readonly KnownDatabase[], { tell: report }: Service): DraftAttachment[] {
  const taken = new Set<string>();
  return databases.map(({ key: database, engine }) => {
    const [url = ''] = databaseVariables(engine, '');
    const prefix = taken.has(url) ? `${database.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}_` : '';
    taken.add(url);
    report.changed(
      'depends_on',
      `The database “${database}” is attached to the app, so the app gets variables such as ${prefix}${url}.`,
    );
    return { database, ...(prefix !== '' && { prefix }) };
  });
}

function scaleOf(values: Values, isOneCopy: boolean, { tell: report }: Service): number | null {
  const key = at(at(values, 'deploy'), 'replicas') === undefined ? 'scale' : 'deploy.replicas';
  const written = textOf(at(at(values, 'deploy'), 'replicas')) ?? textOf(at(values, 'scale')) ?? '';
  const copies = /^\d{1,3}$/.test(written) ? Number(written) : 1;
  if (copies < 2) return null;
  if (isOneCopy) {
    report.leftOut(key, 'An app with volumes or TCP ports can have only one replica.');
    return null;
  }
  if (copies > MOST_COPIES) {
    report.changed(key, `Converted to \`scale\` with ${MOST_COPIES} replicas, the maximum of an app.`);
    return MOST_COPIES;
  }
  report.carried(key, `Converted to \`scale\` with ${copies} replicas.`);
  return copies;
}

/** Splits the ports of an app into HTTP ports and TCP ports. Each HTTP port gets a domain. */
export function splitPorts(ports: readonly Port[]): { http: Port[]; tcp: Port[]; hasTls: boolean } {
  const plain = ports.filter(({ isHttp }) => isHttp);
  /*
   * Port 443 is ignored if the app also has a plain HTTP port. The app does not need port 443, because the proxy
   * terminates HTTPS.
   */
  const http = plain.length > 1 ? plain.filter(({ container }) => container !== 443) : plain;
  return { http, tcp: ports.filter(({ isHttp }) => !isHttp), hasTls: http.length < plain.length };
}
