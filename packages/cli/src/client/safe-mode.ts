import type { Readable } from 'node:stream';
import { chooseConnection } from '../credentials/choose.ts';
import { CliError } from '../errors/exit.ts';
import type { Environment } from '../process/env.ts';
import type { Runtime } from '../process/runtime.ts';
import { socketFetchOf } from './requests.ts';

/** Option of the commands that start the instance. */
export const ACCEPT_ROWS = {
  description: 'accept rows that were changed outside of Davit (check them first: `davit instance verify`)',
} as const;

/**
 * Adds the option `--accept-rows` to a URL path.
 * @param hasLog whether the write-ahead log of a database copy was sent before the copy
 */
export function pathWith(path: string, { acceptRows }: { acceptRows: boolean }, hasLog = false): string {
  const query = [...(acceptRows ? ['accept_rows=true'] : []), ...(hasLog ? ['log=true'] : [])];
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

interface SafeModeRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** Content of a file, with its size in bytes. */
  upload?: { body: Readable; bytes: number };
}

/**
 * Sends a request of safe mode through the Unix socket of the instance on this server.
 * @throws CliError with exit `conflict` if the instance is not in safe mode
 * @throws DavitError if the instance refuses the request
 */
export async function sendInSafeMode(
  { method, path, upload }: SafeModeRequest,
  { env, world: runtime, signal }: { env: Environment; world: Runtime; signal: AbortSignal },
): Promise<Response> {
  const { acceptWithProblem, refusal } = await import('./typed-client.ts');
  const connection = await chooseConnection({ local: true, context: undefined }, env);
  const { url, socketPath = '' } = connection;
  const length = upload === undefined ? {} : { 'content-length': String(upload.bytes) };
  const response = await socketFetchOf({ ...connection, socketPath }, runtime)(`${url}${path}`, {
    method,
    headers: { accept: acceptWithProblem(), ...length },
    signal,
    ...(upload && { body: upload.body }),
  });
  if (response.ok) return response;
  const refused = refusal(response, await response.text());
  if (refused.code !== 'no_such_route') throw refused;
  throw new CliError('conflict', 'The instance is not in safe mode, so this command is not necessary.');
}
