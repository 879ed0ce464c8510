/**
 * Connects the dashboard to the instance with the typed API client and the query cache. No other module sends requests.
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

/**
 * TanStack Query key of an API answer. Events from the server find cached answers by the operation and its path
 * parameters.
 */
export type AnswerKey = readonly [id: OperationId, params: Record<string, string>, query: Record<string, unknown>];

/** Returns the TanStack Query options of an API operation, for route loaders, `useAnswer` and cache invalidation. */
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

/** HTTP response headers of API answers, by the parsed answer object. A copy of an answer object has no headers. */
const answered = new WeakMap<object, Headers>();

function remember(answer: unknown, headers: Headers): void {
  if (typeof answer === 'object' && answer !== null) answered.set(answer, headers);
}

/**
 * Merges a newer API answer into the cached answer and keeps objects whose content is equal. The merged answer has the
 * newer response headers. An answer that an event updated has no headers and keeps the cached ones.
 */
function shareWithHeaders(before: unknown, after: unknown): unknown {
  const shared = replaceEqualDeep(before, after);
  const headers = headersOf(after) ?? headersOf(before);
  if (headers) remember(shared, headers);
  return shared;
}

/**
 * Returns the HTTP headers of an API answer that `useAnswer` returned. An example is `Link` with the URL of the next
 * page.
 */
export function headersOf(answer: unknown): Headers | undefined {
  return typeof answer === 'object' && answer !== null ? answered.get(answer) : undefined;
}

/**
 * Returns the `ifMatch` option, which makes a change fail if another user changed the data meanwhile. Returns an empty
 * object for an answer without an `ETag` header. The server omits the header for long answers.
 */
export function matching(answer: unknown): { ifMatch?: string } {
  const etag = headersOf(answer)?.get('etag');
  return etag ? { ifMatch: etag } : {};
}

/**
 * Returns the cached answer of an API operation. The page's route loader must fetch the answer first. Events from the
 * server keep the cached answer up to date.
 */
export function useAnswer<const Id extends OperationId>(id: Id, args?: Args<Id>): Answer<Id> {
  return useSuspenseQuery(query(id, args)).data;
}

export interface CallOptions<Id extends OperationId> {
  /**
   * API operations whose cached answers are refetched after the call. Changes that the server publishes as events need
   * no entry.
   */
  changes?: readonly OperationId[];
  onDone?: (answer: Answer<Id>) => void;
}

/**
 * Returns a TanStack mutation that calls an API operation. A failed call rejects with the server's error message. Each
 * POST has its own idempotency key, so a repeated request has no second effect.
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

/**
 * TanStack Query client of the dashboard. Cached API answers stay valid until an event from the server affects them.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // Sends requests even if the browser is offline, because the server may run on the same machine.
      networkMode: 'always',
      staleTime: 30_000,
      // Retries requests only while the server is unavailable. A retry of a refused request would be refused too.
      retry: (failures, error) => failures < 3 && mayComeBack(error),
      retryDelay: (attempt) => Math.min(250 * 2 ** attempt, 4_000),
    },
    // Inputs and answers of mutations can contain passwords and keys, so the query cache drops them with the form.
    mutations: { networkMode: 'always', retry: false, gcTime: 0 },
  },
});
