import { type Client, DavitError } from '@davit/api';
import { CliError } from '../errors/exit.ts';

interface Place {
  project: string;
  /** Name of the environment, or `null` if the request creates the environment. */
  environment: string | null;
}

/**
 * Sends a request that creates a resource in a project or an environment. If the project or the environment does not
 * exist, the error message contains the command that creates it.
 * @throws CliError with exit `not_found`
 * @throws DavitError the error of the request in all other cases
 */
export async function createdIn<T>(client: Client, place: Place, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const missing = await missingOf(client, place);
    if (missing === null) throw error;
    throw new CliError('not_found', missing, { refusal: error });
  }
}

/** Returns an error message if the project or the environment does not exist. Returns `null` if both exist. */
async function missingOf(client: Client, { project, environment }: Place): Promise<string | null> {
  try {
    const { environments } = await client.getProject({ params: { project } });
    if (environment === null || environments.includes(environment)) return null;
    const name = `${project}/${environment}`;
    return `The environment ${name} does not exist. Create it: davit environment create ${name}`;
  } catch (error) {
    if (!isNotFound(error)) return null;
    return `The project ${project} does not exist, or you cannot see it. Create it: davit project create ${project}`;
  }
}

function isNotFound(error: unknown): error is DavitError {
  return error instanceof DavitError && error.code === 'not_found';
}
