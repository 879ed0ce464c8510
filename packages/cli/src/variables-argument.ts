import type { Client } from '@davit/api';
import { CliError } from './exit.ts';

/** A project, an environment or an app: variables are kept at all three. */
export const LEVEL = {
  description: 'whose: project, project/environment or project/environment/app',
  completes: 'app',
} as const;

type AppVariables = { params: { project: string; environment: string; app: string } };

/** The operations on the variables of one level. */
export interface VariablesOf {
  get(): ReturnType<Client['getAppVariables']>;
  patch(
    args: Omit<NonNullable<Parameters<Client['patchAppVariables']>[0]>, 'params'>,
  ): Promise<Awaited<ReturnType<Client['patchAppVariables'] | Client['patchProjectVariables']>>>;
}

/** @throws CliError usage */
export function variablesOf(level: string, client: Client): VariablesOf {
  const names = level.split('/');
  if (names.length > 3 || names.includes('')) {
    throw new CliError(
      'usage',
      `«${level}» has no variables: write project, project/environment or project/environment/app.`,
    );
  }
  const [project = '', environment = '', app = ''] = names;
  if (names.length === 1) {
    const params = { project };
    return {
      get: () => client.getProjectVariables({ params }),
      patch: (args) => client.patchProjectVariables({ params, ...args }),
    };
  }
  if (names.length === 2) {
    const params = { project, environment };
    return {
      get: () => client.getEnvironmentVariables({ params }),
      patch: (args) => client.patchEnvironmentVariables({ params, ...args }),
    };
  }
  const { params }: AppVariables = { params: { project, environment, app } };
  return {
    get: () => client.getAppVariables({ params }),
    patch: (args) => client.patchAppVariables({ params, ...args }),
  };
}
