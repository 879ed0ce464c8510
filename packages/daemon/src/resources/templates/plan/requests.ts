/**
 * Builds the API requests for the resources of a template. The requests are validated before the installation, so that
 * invalid values are found early.
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
import { databaseSettings } from '@davit/template/parts';
import type { z } from 'zod';
import { resolveText, type Values } from './references.ts';
import type { Wanted, WantedApp, WantedDatabase } from './wanted.ts';

/**
 * Returns the API request that creates an app. Replaces placeholders in the template, such as `${db.main.host}`, with
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
  return {
    ...{ project, environment, name: database.name },
    ...databaseSettings(database),
    // The type cast is safe, because the template validator accepts the same database engines as the API.
    engine: database.engine as DatabaseCreate['engine'],
  };
}

/**
 * Returns the problems of the API requests for a template. Only the user's answers or a manifest of an earlier Davit
 * version can cause problems. Unknown values of placeholders, such as a new database's host, are empty.
 */
export function requestProblems(wanted: Wanted, values: Values): InstallProblem[] {
  return [
    ...wanted.databases.flatMap((database) =>
      database.adopt === null
        ? refused(`databases.${database.key}`, DatabaseCreate, databaseRequest(wanted, database))
        : [],
    ),
    ...wanted.apps.flatMap((app) => appProblems(app, values)),
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

function refused<S extends z.ZodType>(field: string, schema: S, input: z.input<S>): InstallProblem[] {
  const parsed = schema.safeParse(input);
  return (parsed.error?.issues ?? []).map(({ path, message }) => ({
    ...{ field, code: 'invalid' },
    message: path.length === 0 ? `${message}.` : `${path.join('.')} ${message}.`,
  }));
}
