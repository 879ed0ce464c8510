import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InfiniteQueryObserver, type InfiniteQueryObserverOptions, QueryClient } from '@tanstack/react-query';
import { loadNextPage } from './listing.ts';

interface Numbers {
  number: number;
}

test('loads the next page of templates although all data is fetched again meanwhile', async () => {
  const queries = new QueryClient();
  const requested: number[] = [];
  const secondPage = Promise.withResolvers<void>();
  const options: InfiniteQueryObserverOptions<Numbers, Error, { pages: Numbers[] }, string[], number> = {
    queryKey: ['numbers'],
    queryFn: async ({ pageParam, signal }) => {
      requested.push(pageParam);
      if (requested.length === 2) {
        secondPage.resolve();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
      return { number: pageParam };
    },
    initialPageParam: 1,
    getNextPageParam: ({ number }) => (number < 3 ? number + 1 : null),
    retry: false,
  };
  const observer = new InfiniteQueryObserver(queries, options);
  const leave = observer.subscribe(() => undefined);
  await observer.refetch();
  assert.deepEqual(requested, [1]);

  const fetchNextPage = () => observer.fetchNextPage();
  const more = loadNextPage(1, fetchNextPage, () => true);
  await secondPage.promise;
  await queries.invalidateQueries();

  assert.equal(await more, 2);
  assert.deepEqual(requested, [1, 2, 1, 2]);
  assert.deepEqual(
    observer.getCurrentResult().data?.pages.map(({ number }) => number),
    [1, 2],
  );
  assert.equal(await loadNextPage(9, fetchNextPage, () => false), null);
  leave();
  queries.clear();
});
