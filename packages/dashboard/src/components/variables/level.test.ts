import assert from 'node:assert/strict';
import { afterEach, it, mock } from 'node:test';
import type { Variables } from '@davit/api';
import {
  type DefaultError,
  QueriesObserver,
  type QueriesObserverOptions,
  type QueryObserverResult,
} from '@tanstack/react-query';
import { matching, queryClient } from '../../api.ts';
import { type Level, queriesOf } from './level.ts';

const APP: Level = { source: 'app', path: { project: 'shop', environment: 'production', app: 'web' } };

afterEach(() => {
  mock.restoreAll();
  queryClient.clear();
});

it('saves variables with the ETag of the latest shown response', async () => {
  let change = 1;
  mock.method(globalThis, 'fetch', async (url: string) => {
    const vars = url.includes('/apps/') ? { A: String(change), SAME: 'x' } : {};
    const headers = { 'content-type': 'application/json', etag: `W/"${change}"` };
    return new Response(JSON.stringify({ vars, secret: [], inherited: {}, attached: {} }), { headers });
  });
  const { queries, ...rest } = queriesOf(APP);
  // The options are the same as in the hook of the page.
  const options = { queries, ...rest } as QueriesObserverOptions<QueryObserverResult<Variables, DefaultError>[]>;
  const observer = new QueriesObserver<QueryObserverResult<Variables, DefaultError>[]>(
    queryClient,
    queries as never,
    options,
  );
  const shown = () => {
    const [, combined, track] = observer.getOptimisticResult(queries as never, options.combine);
    const [own] = combined(track()) as unknown as [QueryObserverResult<Variables> | Variables];
    return 'data' in own ? own.data : own;
  };
  const leave = observer.subscribe(() => undefined);

  await Promise.all(queries.map((query) => queryClient.fetchQuery(query)));
  assert.deepEqual(matching(shown()), { ifMatch: 'W/"1"' });
  change = 2;
  await queryClient.invalidateQueries();

  assert.deepEqual(matching(shown()), { ifMatch: 'W/"2"' });
  leave();
});
