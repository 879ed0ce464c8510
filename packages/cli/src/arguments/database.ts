import { CliError } from '../errors/exit.ts';
import { paramsOf } from './app.ts';

/** A database in a command that is about it. */
export const DATABASE = { description: 'database, as project/environment/name' } as const;

interface DatabaseParams {
  project: string;
  environment: string;
  database: string;
}

/** @throws CliError usage */
export function databaseOf(reference: string): DatabaseParams {
  const params = paramsOf(reference);
  if (params === null) throw new CliError('usage', `"${reference}" is not a database: write project/environment/name.`);
  const { project, environment, app: database } = params;
  return { project, environment, database };
}
