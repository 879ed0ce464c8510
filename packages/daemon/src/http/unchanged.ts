import { DavitError, type Method } from '@davit/api';
import { lookUp } from '../authorization/lookup.ts';
import type { Store } from '../db/store.ts';
import type { TrailEntry } from '../db/tables/audit-trail.ts';
import type { Reply } from './bind.ts';
import { names, tagOf } from './etag.ts';
import type { Endpoint } from './exchange.ts';
import { Exchange, type RequestContext } from './exchange.ts';
import { validate } from './request/fields.ts';

const CONDITIONAL: readonly string[] = ['PUT', 'PATCH', 'DELETE'] satisfies Method[];

/**
 * Maximum number of attempts to make a change. An attempt fails if another change is committed after the `If-Match`
 * comparison.
 */
const ATTEMPTS = 5;

export interface UnchangedParts {
  store: Store;
  /** Returns the GET endpoint with the given path template, for example `/api/apps/{app}`. */
  readerOf: (path: string) => Endpoint | undefined;
}

/**
 * Error for another change of the database after Davit compared the `If-Match` header. Davit then compares the header
 * again.
 */
class Overtaken extends Error {
  override name = 'Overtaken';
}

/**
 * Runs a change if the ETag of the object matches `If-Match`. If another change is committed before this change, the
 * comparison is repeated.
 * @throws DavitError precondition_failed
 */
export async function ifUnchanged(
  exchange: Exchange,
  ctx: RequestContext,
  parts: UnchangedParts,
  work: () => Reply | Promise<Reply>,
): Promise<Reply> {
  const header = exchange.headers['if-match'];
  if (header === undefined || !CONDITIONAL.includes(exchange.method)) return work();
  const { store } = parts;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { commits } = store;
    await demandMatch(header, exchange, ctx, parts);
    try {
      return await store.trail.during(notOvertaken(store, commits), work);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
  throw new DavitError(
    'precondition_failed',
    'The resource changed several times during the request, so its ETag could not be compared. Read the resource again, then repeat the change.',
  );
}

/**
 * Returns an entry for the transaction of a change. The entry makes the transaction fail if another transaction was
 * committed after the comparison of `If-Match`.
 * @param commits number of commits when `If-Match` was compared
 */
function notOvertaken(store: Store, commits: number): TrailEntry {
  return {
    written: false,
    write: () => {
      if (store.commits !== commits) throw new Overtaken();
    },
  };
}

async function demandMatch(
  header: string,
  exchange: Exchange,
  ctx: RequestContext,
  { store, readerOf }: UnchangedParts,
): Promise<void> {
  // `If-Match: *` only requires that the object exists. An earlier check has already confirmed this.
  if (header.trim() === '*') return;
  const reader = exchange.endpoint && readerOf(exchange.endpoint.path);
  if (!reader) {
    const message = 'Resources at this path have no ETag. Send the change without the header “If-Match”.';
    throw new DavitError('precondition_failed', message);
  }
  const tag = tagOf(JSON.stringify(await read(reader, exchange, ctx, store)));
  if (tag === undefined || !names(header, tag)) throw new DavitError('precondition_failed');
}

/**
 * Reads the object that a request wants to change. Returns the response body that the same caller would get for a GET
 * request.
 */
async function read(reader: Endpoint, changing: Exchange, ctx: RequestContext, store: Store): Promise<unknown> {
  const { incoming, outgoing, local } = changing;
  const reading = new Exchange({ incoming, outgoing, local }, reader);
  reading.caller = changing.caller;
  reading.params = changing.params;
  if (reader.needs) {
    const { permission, scope } = reader.needs;
    reading.target = lookUp(store, changing.signedIn.actor, permission, scope, changing.params);
  }
  if (reader.query) reading.query = validate(reader.query, {}, 'query');
  return (await reader.handle(reading, ctx)).body;
}
