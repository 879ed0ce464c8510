/**
 * Updates the query cache after events from the server. The new state of a deployment is written into cached responses.
 * Other outdated responses are fetched again.
 */
import type { Deployment, DeploymentEvent, Instance, MachineEvent, OperationId } from '@davit/api';
import type { Query, QueryClient } from '@tanstack/react-query';
import type { AnswerKey } from '../api.ts';
import { affectedBy } from './affected.ts';
import type { Happened } from './messages.ts';
import { patched } from './patch.ts';
import { Refetch } from './refetch.ts';

const SHOW_DEPLOYMENTS: ReadonlySet<OperationId> = new Set([
  'getDeployment',
  'listDeployments',
  'listRecentDeployments',
]);

export class Freshness {
  readonly #queries: QueryClient;
  readonly #refetch: Refetch;

  constructor(queries: QueryClient) {
    this.#queries = queries;
    this.#refetch = new Refetch(queries);
  }

  take(happened: Happened): void {
    if (happened.event === 'deployment') this.#patch(happened.data);
    if (happened.event === 'machine') this.#compare(happened.data);
    const isAffected = affectedBy(happened);
    if (isAffected === null) return;
    for (const query of this.#all()) if (isAffected(keyOf(query))) this.#refetch.want(query);
  }

  /**
   * Fetches cached API responses again if they are older than `moment` (milliseconds since the epoch), because the page
   * may have missed events.
   */
  rereadBefore(moment: number): void {
    for (const query of this.#all()) if (query.state.dataUpdatedAt < moment) this.#refetch.want(query);
  }

  #patch(event: DeploymentEvent): void {
    for (const query of this.#all()) {
      if (!SHOW_DEPLOYMENTS.has(keyOf(query)[0]) || query.state.data === undefined) continue;
      const next = withPatch(query.state.data, event);
      if (next === query.state.data) continue;
      const { isInvalidated, dataUpdatedAt, fetchStatus } = query.state;
      this.#queries.setQueryData(query.queryKey, next, { updatedAt: dataUpdatedAt });
      /*
       * If the response is being fetched, fetch it again later. The running fetch may return data from before the
       * event.
       */
      if (fetchStatus === 'fetching') this.#refetch.want(query);
      // The cached response was already outdated. Mark the response as outdated again, because `setQueryData` has
      // removed the mark.
      else if (isInvalidated) query.invalidate();
    }
  }

  /**
   * Fetches the data about the instance again if an event contains another Docker state, disk state or number of
   * warnings.
   */
  #compare({ engine_available, disk_state, warnings }: MachineEvent): void {
    for (const query of this.#all()) {
      const shown = keyOf(query)[0] === 'getInstance' ? (query.state.data as Instance | undefined) : undefined;
      if (shown === undefined) continue;
      const isSame =
        shown.engine.available === engine_available &&
        (shown.disk?.state ?? null) === disk_state &&
        shown.warnings.length === warnings;
      if (!isSame) this.#refetch.want(query);
    }
  }

  #all(): Query[] {
    return this.#queries.getQueryCache().getAll();
  }
}

/**
 * Applies a deployment event to cached data. The data is a deployment, a list of deployments, or a list with pages. If
 * nothing changes, the same object is returned.
 */
function withPatch(data: unknown, event: DeploymentEvent): unknown {
  if (Array.isArray(data)) return mapped(data, (item) => withPatch(item, event));
  if (typeof data !== 'object' || data === null) return data;
  for (const within of ['pages', 'items'] as const) {
    const list = (data as Record<string, unknown>)[within];
    if (!Array.isArray(list)) continue;
    const next = mapped(list, (one) => withPatch(one, event));
    return next === list ? data : { ...data, [within]: next };
  }
  return 'steps' in data ? patched(data as Deployment, event) : data;
}

function mapped(list: unknown[], make: (item: unknown) => unknown): unknown[] {
  const made = list.map(make);
  return made.some((item, at) => item !== list[at]) ? made : list;
}

/**
 * Splits a TanStack Query key into the API operation, the path parameters and the query parameters. Missing parameters
 * become empty objects.
 */
function keyOf({ queryKey }: Query): AnswerKey {
  const [id, params = {}, query = {}] = queryKey as unknown as [OperationId, AnswerKey[1]?, AnswerKey[2]?];
  return [id, params, query];
}
