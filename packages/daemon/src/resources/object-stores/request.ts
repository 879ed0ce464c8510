/**
 * Sends requests to an object store for an API request of a user. Uses the object store's access keys and a time limit.
 * Converts errors to API errors.
 */
import { DavitError } from '@davit/api';
import type { StoreAccess } from '../../app-spec/store-access.ts';
import type { StoreRow } from '../../db/tables/object-store.ts';
import type { ObjectClient, StoreConnection } from './client.ts';
import { clientOfStore, objectClientOf } from './client-of.ts';
import { openAccess } from './connection.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { StoreProblem } from './problem.ts';

/**
 * Maximum duration in milliseconds of all S3 requests for one API request. A reverse proxy in front of Davit usually
 * cancels a request after one minute.
 */
const REQUEST_TIMEOUT_MS = 30_000;

type Work<T> = (client: ObjectClient, signal: AbortSignal) => Promise<T>;

/**
 * Sends requests to an object store that is stored in the database.
 * @throws DavitError unavailable, conflict, not_found or forbidden, depending on the problem
 */
export function withStoreClient<T>(core: ObjectStoresDeps, row: StoreRow, work: Work<T>): Promise<T> {
  return withClient(core, () => clientOfStore(core, row), row.endpoint, work);
}

/**
 * Sends requests to an object store with an endpoint and keys that are not saved yet.
 * @throws DavitError unavailable, conflict, not_found or forbidden, depending on the problem
 */
export function withConnectionClient<T>(
  core: ObjectStoresDeps,
  connection: StoreConnection,
  work: Work<T>,
): Promise<T> {
  return withClient(core, () => objectClientOf(connection), connection.endpoint, work);
}

async function withClient<T>(
  { log }: ObjectStoresDeps,
  open: () => Promise<ObjectClient>,
  endpoint: string,
  work: Work<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  try {
    using client = await open();
    return await work(client, deadline);
  } catch (error) {
    /*
     * Only log the object store's response. Users must not see the response, because it can show which server runs at a
     * private address.
     */
    if (error instanceof StoreProblem && error.answered !== null)
      log.info({ endpoint, ...error.answered }, 'object store refused a request');
    throw refusalOf(deadline.aborted ? tooSlow(endpoint) : error);
  }
}

/**
 * Returns the endpoint and access keys of an object store.
 * @throws DavitError conflict if the secret key cannot be decrypted
 */
export function accessOf(core: ObjectStoresDeps, row: StoreRow): StoreAccess {
  try {
    return openAccess(core, row);
  } catch (error) {
    throw refusalOf(error);
  }
}

function tooSlow(endpoint: string): StoreProblem {
  const { host } = new URL(endpoint);
  return new StoreProblem(
    'unreachable',
    `${host} did not respond within ${REQUEST_TIMEOUT_MS / 1_000} s. Try again later.`,
  );
}

/** Converts a StoreProblem to an API error. Returns any other error unchanged. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof StoreProblem)) return error;
  switch (error.kind) {
    case 'missing':
      return new DavitError('not_found', error.message);
    case 'forbidden':
      return new DavitError('forbidden', error.message);
    case 'unreachable':
      return new DavitError('unavailable', error.message, { retryAfterS: 30 });
    default:
      return new DavitError('conflict', error.message);
  }
}
