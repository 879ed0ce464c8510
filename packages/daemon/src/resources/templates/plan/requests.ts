/**
 * Builds the API requests for the resources of a template. Checks before the installation find invalid values early.
 */
import {
  AppCreate,
  DatabaseCreate,
  DomainCreate,
  type InstallProblem,
  TcpPortCreate,
  VariablesPatch,
  VolumeCreate,
} from '@davit/api';
import { engineNamed } from '@davit/template/parts';
import type { z } from 'zod';
import { resolveText, type Values } from './references.ts';
import type { Wanted, WantedApp, WantedDatabase } from './wanted.ts';

/**
 * Returns the API request that creates an app. Placeholders in the template, such as `${db.main.host}`, are replaced by
 * their values.
 */
export function appRequest(app: WantedApp, values: Values): z.input<typeof AppCreate> {
  const { create, releaseCommand, command, args, files } = app;
  const texts = (list: readonly string[] | null) => list?.map((text) => resolveText(text, values)) ?? null;
  const put = files.map(({ path, content, mode }) => ({ path, content: resolveText(content, values), mode }));
  const commands = { release_command: texts(releaseCommand), command: texts(command), args: texts(args) };
  return { ...create, ...commands, ...(put.length > 0 && { files: put }) };
}

export function databaseRequest(
  { project, environment }: Pick<Wanted, 'project' | 'environment'>,
  database: WantedDatabase,
): z.input<typeof DatabaseCreate> {
  const { name, engine, version, extensions, username, database: inside, expose, limits } = database;
  return {
    ...{ project, environment, name, extensions, expose },
    // The type cast is safe, because the template validator accepts the same database engines as the API.
    engine: engine as DatabaseCreate['engine'],
    ...(version !== null && { version }),
    ...(username !== null && { username }),
    ...(inside !== null && engineNamed(engine)?.named !== false && { database: inside }),
    ...(limits !== null && { limits }),
  };
}

/**
 * Returns problems of the API requests before anything is created. An unknown placeholder value, such as a new
 * database's host, is empty.
 */
export function requestProblems(wanted: Wanted, values: Values): InstallProblem[] {
  return [
    ...wanted.databases.flatMap((database) =>
      database.adopt === null
        ? refused(`databases.${database.key}`, DatabaseCreate, databaseRequest(wanted, database))
        : [],
    ),
    ...wanted.apps.flatMap((app) => appProblems(app, values)),
    ...wanted.apps.flatMap((app) => ownJobProblems(wanted, app)),
  ];
}

function appProblems(app: WantedApp, values: Values): InstallProblem[] {
  const field = `apps.${app.key}`;
  const set = Object.fromEntries(Object.entries(app.env).map(([name, text]) => [name, resolveText(text, values)]));
  return [
    ...refused(field, AppCreate, appRequest(app, values)),
    ...refused(`${field}.env`, VariablesPatch, { set, unset: [], secret: [] }),
    ...app.volumes.flatMap((path) => refused(`${field}.volumes`, VolumeCreate, { path })),
    ...app.domains.flatMap(({ host }) => refused(`${field}.domains`, DomainCreate, { host })),
    ...app.tcp.flatMap(({ container }) => refused(`${field}.tcp`, TcpPortCreate, { container_port: container })),
  ];
}

/** Returns a problem if an app waits for several of its own jobs, because an app can have only one release command. */
function ownJobProblems({ jobs }: Wanted, { key, after }: WantedApp): InstallProblem[] {
  const own = jobs.filter((job) => job.app === key && after.includes(job.key));
  if (own.length < 2) return [];
  const message =
    'An app can wait for only one of its own jobs before it starts. In “depends_on” of the template, keep only one job of this app.';
  return [{ field: `apps.${key}`, code: 'not_allowed', message }];
}

function refused<S extends z.ZodType>(field: string, schema: S, input: z.input<S>): InstallProblem[] {
  const parsed = schema.safeParse(input);
  return (parsed.error?.issues ?? []).map(({ path, message }) => ({
    ...{ field, code: 'invalid' },
    message: path.length === 0 ? `${message}.` : `${path.join('.')} ${message}.`,
  }));
}
