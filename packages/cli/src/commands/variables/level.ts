import type { CallOptions, Client } from '@davit/api';
import { appOf, referenceOf } from '../../arguments/app.ts';
import type { Context } from '../../declaration/context.ts';
import { CliError } from '../../errors/exit.ts';

/**
 * Declares the command-line argument of commands that set environment variables. The argument is the reference of the
 * project, environment or app with these variables.
 */
export const LEVEL = {
  description:
    'where the variables are set: shop (a project), shop/production (an environment) or shop/production/web (an app); "." means the app in davit.yaml',
  completes: 'app',
} as const;

type AppVariables = { params: { project: string; environment: string; app: string } };

/** API calls for the environment variables of one project, environment or app. */
export interface VariablesOf {
  /** Reference of the project, environment or app, such as `shop/production`. */
  level: string;
  /** Reads the environment variables. `onHeaders` receives the response headers, such as `ETag`. */
  get(args?: Pick<CallOptions, 'onHeaders'>): ReturnType<Client['getAppEnv']>;
  patch(
    args: Omit<NonNullable<Parameters<Client['setAppEnv']>[0]>, 'params'>,
  ): Promise<Awaited<ReturnType<Client['setAppEnv'] | Client['setProjectEnv']>>>;
}

/**
 * Returns functions that read and change the environment variables of a project, an environment or an app.
 * @throws CliError with exit `usage` if the reference is invalid
 */
export async function variablesOf(given: string, context: Pick<Context, 'client' | 'world'>): Promise<VariablesOf> {
  const level = given === '.' ? referenceOf(await appOf(given, context)) : given;
  const names = level.split('/');
  if (names.length > 3 || names.includes('')) {
    throw new CliError(
      'usage',
      `"${level}" is not a project, environment or app: write project, project/environment or project/environment/app.`,
    );
  }
  const client = await context.client();
  const [project = '', environment = '', app = ''] = names;
  if (names.length === 1) {
    const params = { project };
    return {
      level,
      get: (args) => client.getProjectEnv({ params, ...args }),
      patch: (args) => client.setProjectEnv({ params, ...args }),
    };
  }
  if (names.length === 2) {
    const params = { project, environment };
    return {
      level,
      get: (args) => client.getEnvironmentEnv({ params, ...args }),
      patch: (args) => client.setEnvironmentEnv({ params, ...args }),
    };
  }
  const { params }: AppVariables = { params: { project, environment, app } };
  return {
    level,
    get: (args) => client.getAppEnv({ params, ...args }),
    patch: (args) => client.setAppEnv({ params, ...args }),
  };
}
