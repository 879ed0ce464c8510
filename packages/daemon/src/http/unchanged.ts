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

/** How often a change is begun again when another one was committed while it was prepared. */
const ATTEMPTS = 5;

export interface UnchangedParts {
  store: Store;
  /** The endpoint that reads what is at a path. */
  readerOf: (path: string) => Endpoint | undefined;
}

/** Another change was committed between the look at the thing and this one: it must be looked at again. */
class Overtaken extends Error {
  override name = 'Overtaken';
}

/**
 * Carries out a change only if the thing is still as its caller read it (`If-Match`). The comparison holds at the moment
 * of the change itself: a change that was overtaken while it was prepared is undone and judged anew.
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
    'Other changes come too fast to compare with: read it again, and try again.',
  );
}

/** Undoes the transaction that it is written in when another one was committed before it. */
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
  // It was found on the way here, so there is one.
  if (header.trim() === '*') return;
  const reader = exchange.endpoint && readerOf(exchange.endpoint.path);
  if (!reader) {
    const message = 'This has no ETag of its own to compare with: send the change without «If-Match».';
    throw new DavitError('precondition_failed', message);
  }
  const tag = tagOf(JSON.stringify(await read(reader, exchange, ctx, store)));
  if (tag === undefined || !names(header, tag)) throw new DavitError('precondition_failed');
}

/** What the caller would be shown at the same path now. */
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
