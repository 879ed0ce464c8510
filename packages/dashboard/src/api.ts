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

type ApiCall<Id extends OperationId> = (args: unknown) => Promise<Answer<Id>>;

/**
 * Key of a cached API response. The key contains the API operation and its parameters. After an event from the server,
 * the dashboard uses these keys to find the responses that it must load again.
 */
export type AnswerKey = readonly [id: OperationId, params: Record<string, string>, query: Record<string, unknown>];

/**
 * Returns the TanStack Query options of an API operation. The options contain the cache key and the function that
 * fetches the response.
 */
export function query<const Id extends OperationId>(id: Id, args?: Args<Id>) {
  const { params = {}, query: queryParams = {} } = (args ?? {}) as { params?: object; query?: object };
  return queryOptions({
    queryKey: [id, params, queryParams] as unknown as AnswerKey,
    queryFn: async ({ signal }): Promise<Answer<Id>> => {
      let headers: Headers | undefined;
      const onHeaders = (answered: Headers) => {
        headers = answered;
      };
      const answer = await (api[id] as ApiCall<Id>)({ ...args, signal, onHeaders });
      if (headers) remember(answer, headers);
      return answer;
    },
    structuralSharing: shareWithHeaders,
  });
}

/**
 * Maps a parsed response body to its HTTP headers. The key is the JavaScript object of the body. A copy of this object
 * therefore has no headers.
 */
const answered = new WeakMap<object, Headers>();

function remember(answer: unknown, headers: Headers): void {
  if (typeof answer === 'object' && answer !== null) answered.set(answer, headers);
}

/** Merges an API response into the cached response, and reuses cached objects with equal content. */
function shareWithHeaders(before: unknown, after: unknown): unknown {
  const shared = replaceEqualDeep(before, after);
  // A response that was built from an event has no headers. Keep the headers of the cached response.
  const headers = headersOf(after) ?? headersOf(before);
  if (headers) remember(shared, headers);
  return shared;
}

/**
 * Returns the HTTP headers of an API response, for example `Link`.
 * @param answer parsed response body that the hook `useAnswer` has returned
 */
export function headersOf(answer: unknown): Headers | undefined {
  return typeof answer === 'object' && answer !== null ? answered.get(answer) : undefined;
}

/**
 * Returns the option `ifMatch`. With this option, the server rejects an update if another user has changed the
 * resource. A long response has no `ETag`. The option is then missing.
 */
export function matching(answer: unknown): { ifMatch?: string } {
  const etag = headersOf(answer)?.get('etag');
  return etag ? { ifMatch: etag } : {};
}

/**
 * Returns the cached response of an API operation, which the page's route loader has fetched. Server events keep the
 * response up to date.
 */
export function useAnswer<const Id extends OperationId>(id: Id, args?: Args<Id>): Answer<Id> {
  return useSuspenseQuery(query(id, args)).data;
}

export interface CallOptions<Id extends OperationId> {
  /**
   * API operations whose cached responses must be fetched again after the mutation. Do not list an operation if events
   * from the server update its response.
   */
  changes?: readonly OperationId[];
  onDone?: (answer: Answer<Id>) => void;
}

/**
 * Returns a TanStack mutation that calls an API operation. Each POST request has an idempotency key. If the browser
 * repeats a POST request, the server therefore executes the request only once.
 */
export function useCall<const Id extends OperationId>(id: Id, { changes = [], onDone }: CallOptions<Id> = {}) {
  const queries = useQueryClient();
  return useMutation<Answer<Id>, DavitError, Args<Id>>({
    mutationFn: (args) => {
      const send = api[id] as ApiCall<Id>;
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
 * TanStack Query client of the dashboard. A cached API response stays valid until the server sends an event that
 * changes it.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // Send requests even if the browser is offline, because the server may run on the same machine.
      networkMode: 'always',
      staleTime: 30_000,
      // Do not retry a request that the server rejected. The server would reject the second request too.
      retry: (failures, error) => failures < 3 && mayComeBack(error),
      retryDelay: (attempt) => Math.min(250 * 2 ** attempt, 4_000),
    },
    /*
     * Remove form data from the mutation cache when the form closes, because the data can contain passwords and API
     * keys.
     */
    mutations: { networkMode: 'always', retry: false, gcTime: 0 },
  },
});
