/**
 * The dashboard's one way to the instance: the typed client of its API, read through the query cache. Nothing else sends
 * a request.
 */
import { CALLS, type Client, createClient, DavitError, type OperationId } from '@davit/api';
import {
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  replaceEqualDeep,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { reachingFetch, untilReached } from './reach.ts';
import { isSignedOut, sessionIsOver } from './session.ts';
import { unique } from './util/unique.ts';

export const api = createClient({ url: '', fetch: reachingFetch });

export type Args<Id extends OperationId> = NonNullable<Parameters<Client[Id]>[0]>;
export type Answer<Id extends OperationId> = Awaited<ReturnType<Client[Id]>>;

type Asked<Id extends OperationId> = (args: unknown) => Promise<Answer<Id>>;

/** The cache key of an operation's answer: what happens on the instance finds it by its first two parts. */
export type AnswerKey = readonly [id: OperationId, params: Record<string, string>, query: Record<string, unknown>];

/** An operation's answer as a query: for loaders, `useAnswer`, and to be made stale. */
export function query<const Id extends OperationId>(id: Id, args?: Args<Id>) {
  const { params = {}, query: asked = {} } = (args ?? {}) as { params?: object; query?: object };
  return queryOptions({
    queryKey: [id, params, asked] as unknown as AnswerKey,
    queryFn: async ({ signal }): Promise<Answer<Id>> => {
      let headers: Headers | undefined;
      const onHeaders = (answered: Headers) => {
        headers = answered;
      };
      const answer = await (api[id] as Asked<Id>)({ ...args, signal, onHeaders });
      if (headers) remember(answer, headers);
      return answer;
    },
    structuralSharing: shareWithHeaders,
  });
}

/** Headers of each answer. The key is the answer object itself, so a copy of it has no headers. */
const answered = new WeakMap<object, Headers>();

function remember(answer: unknown, headers: Headers): void {
  if (typeof answer === 'object' && answer !== null) answered.set(answer, headers);
}

/**
 * Keeps equal parts of an answer as the same objects, and takes the headers of the newer answer. An answer that an
 * event updated keeps its headers.
 */
function shareWithHeaders(before: unknown, after: unknown): unknown {
  const shared = replaceEqualDeep(before, after);
  const headers = headersOf(after) ?? headersOf(before);
  if (headers) remember(shared, headers);
  return shared;
}

/** The headers that came with an answer that `useAnswer` shows: the `Link` to its next page. */
export function headersOf(answer: unknown): Headers | undefined {
  return typeof answer === 'object' && answer !== null ? answered.get(answer) : undefined;
}

/** What a change of what this answer shows is sent with as `ifMatch`; nothing for one too long to have a tag. */
export function matching(answer: unknown): { ifMatch?: string } {
  const etag = headersOf(answer)?.get('etag');
  return etag ? { ifMatch: etag } : {};
}

/** An operation's answer, which the page's loader has fetched before; kept fresh by what happens. */
export function useAnswer<const Id extends OperationId>(id: Id, args?: Args<Id>): Answer<Id> {
  return useSuspenseQuery(query(id, args)).data;
}

export interface CallOptions<Id extends OperationId> {
  /** Whose answers are not true any more afterwards. What is announced as an event is made stale by that. */
  changes?: readonly OperationId[];
  onDone?: (answer: Answer<Id>) => void;
}

/**
 * An operation to be called. It rejects with the server's sentence, which is shown where the call was made. A POST is
 * carried out once, however often it is sent: each `mutate` has a key of its own.
 */
export function useCall<const Id extends OperationId>(id: Id, { changes = [], onDone }: CallOptions<Id> = {}) {
  const queries = useQueryClient();
  return useMutation<Answer<Id>, DavitError, Args<Id>>({
    mutationFn: (args) => {
      const send = api[id] as Asked<Id>;
      if (CALLS[id].method !== 'POST') return send(args);
      const once = { idempotencyKey: unique(), ...args };
      return untilReached(() => send(once));
    },
    onSuccess: async (answer) => {
      await Promise.all(changes.map((changed) => queries.invalidateQueries({ queryKey: [changed] })));
      onDone?.(answer);
    },
  });
}

const onError = (error: unknown) => {
  if (isSignedOut(error)) sessionIsOver();
};

function mayComeBack(error: Error): boolean {
  return !(error instanceof DavitError) || (error.retryable && error.code !== 'too_many_requests');
}

/** Answers stay true until an event says otherwise; see `live/`. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // A browser that knows of no network still has the machine that it is on.
      networkMode: 'always',
      staleTime: 30_000,
      // A refusal does not become an answer by asking again; an instance that is away does.
      retry: (failures, error) => failures < 3 && mayComeBack(error),
      retryDelay: (attempt) => Math.min(250 * 2 ** attempt, 4_000),
    },
    // What was sent and answered, passwords and keys among it, is gone with the form that asked.
    mutations: { networkMode: 'always', retry: false, gcTime: 0 },
  },
});
