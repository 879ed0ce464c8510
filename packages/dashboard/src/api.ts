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

/** Cache key of an operation's answer. Events find the answer by the first two parts of the key. */
export type AnswerKey = readonly [id: OperationId, params: Record<string, string>, query: Record<string, unknown>];

/** Returns the query options of an operation, for loaders, `useAnswer` and invalidation. */
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

/** Headers of each answer. The key is the answer object itself, so a copy of the answer has no headers. */
const answered = new WeakMap<object, Headers>();

function remember(answer: unknown, headers: Headers): void {
  if (typeof answer === 'object' && answer !== null) answered.set(answer, headers);
}

/**
 * Returns the newer answer, with equal parts as the same objects as before, and gives it the newer headers. An answer
 * that an event updated keeps its headers.
 */
function shareWithHeaders(before: unknown, after: unknown): unknown {
  const shared = replaceEqualDeep(before, after);
  const headers = headersOf(after) ?? headersOf(before);
  if (headers) remember(shared, headers);
  return shared;
}

/** Returns the headers of an answer that `useAnswer` returned, for example `Link` with the next page. */
export function headersOf(answer: unknown): Headers | undefined {
  return typeof answer === 'object' && answer !== null ? answered.get(answer) : undefined;
}

/**
 * Returns the `ifMatch` option for a change of the shown data. Returns an empty object if the answer has no `ETag`,
 * because the answer was too long.
 */
export function matching(answer: unknown): { ifMatch?: string } {
  const etag = headersOf(answer)?.get('etag');
  return etag ? { ifMatch: etag } : {};
}

/** Returns the answer of an operation that the page's loader fetched. Events keep the answer up to date. */
export function useAnswer<const Id extends OperationId>(id: Id, args?: Args<Id>): Answer<Id> {
  return useSuspenseQuery(query(id, args)).data;
}

export interface CallOptions<Id extends OperationId> {
  /** Operations whose answers are stale after the call. Changes that the instance publishes as events need no entry. */
  changes?: readonly OperationId[];
  onDone?: (answer: Answer<Id>) => void;
}

/**
 * Returns a mutation that calls an operation. The mutation rejects with the message of the server, which the caller
 * shows. Each `mutate` of a POST has its own idempotency key, so a repeated request has no second effect.
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

/** Cached answers stay valid until an event affects them. See `live/`. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // The instance may be on the same machine, so requests are sent even if the browser is offline.
      networkMode: 'always',
      staleTime: 30_000,
      // A retry does not change a refusal, but it can reach an instance that was unavailable for a short time.
      retry: (failures, error) => failures < 3 && mayComeBack(error),
      retryDelay: (attempt) => Math.min(250 * 2 ** attempt, 4_000),
    },
    // Inputs and answers of mutations can contain passwords and keys, so the cache removes them with the form.
    mutations: { networkMode: 'always', retry: false, gcTime: 0 },
  },
});
