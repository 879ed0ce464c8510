/** Asking an object store for somebody: with its keys, within a bounded time, and with what goes wrong as a refusal. */
import { canStore, DavitError } from '@davit/api';
import type { ObjectClient, StorePlace } from '../objects/client.ts';
import { objectClientOf } from '../objects/client-of.ts';
import { StoreProblem } from '../objects/problem.ts';
import { type StoreAccess, storeAccess } from '../release/store-access.ts';
import type { StoreRow } from '../store/object-store.ts';
import { SealBroken } from '../store/seal.ts';
import type { Core } from './core.ts';
import { storeStatus } from './store-status.ts';

/** What somebody waits for at a time; a proxy on his way waits for a minute. */
const ASK_MS = 30_000;

/** @throws DavitError unavailable, conflict or not_found, in the store's case */
export async function askStore<T>(
  core: Core,
  row: StoreRow,
  work: (client: ObjectClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return askPlace(askablePlace(core, row), work);
}

/** The same of a store that is not on record, or not as it is asked. */
export async function askPlace<T>(
  place: StorePlace,
  work: (client: ObjectClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(ASK_MS);
  try {
    using client = await objectClientOf(place);
    return await work(client, deadline);
  } catch (error) {
    throw refusalOf(deadline.aborted ? tooSlow(place) : error);
  }
}

/** @throws DavitError conflict for one that does not run, or whose key was changed outside Davit */
export function askablePlace(core: Core, row: StoreRow): StorePlace {
  const access = openAccess(core, row);
  if (row.kind === 'linked') return access;
  if (!canStore.use(storeStatus(row)) || row.address === null) {
    throw new DavitError('conflict', `${row.name} does not run: start it first.`);
  }
  return { ...access, endpoint: `http://${row.address}:${STORE_PORT}` };
}

/** What a managed store listens on. */
export const STORE_PORT = 8_333;

/** @throws DavitError conflict for a key that was changed outside Davit */
export function openAccess(core: Core, row: StoreRow): StoreAccess {
  try {
    return storeAccess(core, row);
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    throw new DavitError('conflict', `The keys of ${row.name} were changed outside Davit: send them anew.`, { cause });
  }
}

function tooSlow({ endpoint }: StorePlace): StoreProblem {
  const { host } = new URL(endpoint);
  return new StoreProblem('unreachable', `${host} did not answer within ${ASK_MS / 1_000} s: try again later.`);
}

/** What a caller is told of a problem; anything else is thrown on. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof StoreProblem)) return error;
  switch (error.kind) {
    case 'missing':
      return new DavitError('not_found', error.message);
    case 'unreachable':
      return new DavitError('unavailable', error.message, { retryAfterS: 30 });
    default:
      return new DavitError('conflict', error.message);
  }
}
