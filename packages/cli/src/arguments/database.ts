import { CliError } from '../errors/exit.ts';
import { paramsOf } from './app.ts';

export const DATABASE = { description: 'database, as project/environment/name' } as const;

export interface DatabaseParams {
  project: string;
  environment: string;
  database: string;
}

/** @throws CliError with exit `usage` if the reference is not `project/environment/database` */
export function databaseOf(reference: string): DatabaseParams {
  const params = paramsOf(reference);
  if (params === null)
    throw new CliError('usage', `"${reference}" is not the name of a database: write project/environment/name.`);
  const { project, environment, app: database } = params;
  return { project, environment, database };
}
