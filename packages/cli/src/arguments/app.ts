import { readFile } from 'node:fs/promises';
import { FILE_NAME, nearestFile } from '../davit-yaml/find.ts';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { nearest } from '../errors/nearest.ts';

/**
 * Declares the optional app argument of CLI commands without other arguments. Default: the app in the nearest
 * davit.yaml.
 */
export const APP = {
  description: 'app, as project/environment/app; "." or no value means the app in davit.yaml',
  optional: true,
  completes: 'app',
} as const;

/** Declares the required app argument of CLI commands that also have other arguments. */
export const APP_FIRST = {
  description: 'app, as project/environment/app; "." means the app in davit.yaml',
  completes: 'app',
} as const;

/** Names of project, environment and app. All API operations on an app have these path parameters. */
export interface AppParams {
  project: string;
  environment: string;
  app: string;
}

/**
 * Converts the app argument of a command to API path parameters. `.` or a missing argument means the app in the nearest
 * davit.yaml.
 * @throws CliError with exit `usage`
 */
export async function appOf(given: string | undefined, context: Pick<Context, 'client' | 'world'>): Promise<AppParams> {
  const reference = given === undefined || given === '.' ? await namedHere(context.world.cwd) : given;
  const params = paramsOf(reference);
  if (params !== null) return params;
  const names = await namesLike(reference, context);
  const meant = names.length > 0 ? ` Did you mean ${names.join(', ')}?` : '';
  throw new CliError('usage', `"${reference}" is not the name of an app: write project/environment/app.${meant}`);
}

/** Splits `project/environment/app` into three names. Returns `null` if the text has another format. */
export function paramsOf(reference: string): AppParams | null {
  const [project, environment, app, ...more] = reference.split('/');
  if (!project || !environment || !app || more.length > 0) return null;
  return { project, environment, app };
}

export function referenceOf({ project, environment, app }: AppParams): string {
  return `${project}/${environment}/${app}`;
}

async function namedHere(cwd: string): Promise<string> {
  const path = await nearestFile(cwd);
  if (path === null) {
    throw new CliError(
      'usage',
      `No ${FILE_NAME} found in this folder or above. Name the app as project/environment/app.`,
    );
  }
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new CliError('failed', `${path} cannot be read.`, { cause });
  });
  const { parseDavitFile } = await import('../davit-yaml/parse.ts');
  const parsed = parseDavitFile(text);
  if (parsed.ok) return parsed.file.app;
  const [first] = parsed.mistakes;
  throw new CliError('usage', `${path}, line ${first?.line ?? 1}: ${first?.message ?? 'is not valid'}.`);
}

/**
 * Returns similar names of existing apps, for a "Did you mean" hint. Returns an empty list if the instance is
 * unreachable.
 */
async function namesLike(given: string, { client }: Pick<Context, 'client'>): Promise<string[]> {
  try {
    const apps = await (await client()).listApps();
    return nearest(
      given,
      apps.map(({ reference }) => reference),
    );
  } catch {
    // If the list of apps cannot be loaded, the error message suggests no similar app name.
    return [];
  }
}
