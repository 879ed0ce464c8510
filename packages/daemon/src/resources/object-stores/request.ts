/** Asking an object store for somebody: with its keys, within a bounded time, and with what goes wrong as a refusal. */
import { DavitError } from '@davit/api';
import type { StoreAccess } from '../../app-spec/store-access.ts';
import type { StoreRow } from '../../db/tables/object-store.ts';
import type { ObjectClient, StorePlace } from './client.ts';
import { clientOfStore, objectClientOf } from './client-of.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { openAccess } from './place.ts';
import { StoreProblem } from './problem.ts';

/** What somebody waits for at a time; a proxy on his way waits for a minute. */
const ASK_MS = 30_000;

type Work<T> = (client: ObjectClient, signal: AbortSignal) => Promise<T>;

/** @throws DavitError unavailable, conflict or not_found, in the store's case */
export function askStore<T>(core: ObjectStoresDeps, row: StoreRow, work: Work<T>): Promise<T> {
  return asking(core, () => clientOfStore(core, row), row.endpoint, work);
}

/** The same of a store that is not on record, or not as it is asked. */
export function askPlace<T>(core: ObjectStoresDeps, place: StorePlace, work: Work<T>): Promise<T> {
  return asking(core, () => objectClientOf(place), place.endpoint, work);
}

async function asking<T>(
  { log }: ObjectStoresDeps,
  open: () => Promise<ObjectClient>,
  endpoint: string,
  work: Work<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(ASK_MS);
  try {
    using client = await open();
    return await work(client, deadline);
  } catch (error) {
    // The answer of the other system goes only to the log: users who can set an address must not learn what listens
    // there.
    if (error instanceof StoreProblem && error.answered !== null)
      log.info({ endpoint, ...error.answered }, 'an object store refused a request');
    throw refusalOf(deadline.aborted ? tooSlow(endpoint) : error);
  }
}

/** @throws DavitError conflict for a key that was changed outside Davit */
export function accessOf(core: ObjectStoresDeps, row: StoreRow): StoreAccess {
  try {
    return openAccess(core, row);
  } catch (error) {
    throw refusalOf(error);
  }
}

function tooSlow(endpoint: string): StoreProblem {
  const { host } = new URL(endpoint);
  return new StoreProblem('unreachable', `${host} did not answer within ${ASK_MS / 1_000} s: try again later.`);
}

/** What a caller is told of a problem; anything else is thrown on. */
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
