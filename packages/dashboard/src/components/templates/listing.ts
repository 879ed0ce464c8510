/** Loads the templates of the catalog page by page, for a search text, a tag and a sort order. */
import type { Template } from '@davit/api';
import {
  type InfiniteQueryObserverResult,
  infiniteQueryOptions,
  type QueryClient,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, query } from '../../api.ts';
import { useSearchText } from '../../util/params.ts';

export interface Sought {
  q: string;
  tag: string;
  sort: 'recent' | 'stars';
}

/**
 * Parses the search parameters of the template catalog from the URL. Invalid parameters are replaced by their defaults.
 */
export function soughtIn(search: Record<string, unknown>): Sought {
  const text = (name: string) => (typeof search[name] === 'string' ? String(search[name]).trim() : '');
  return { q: text('q'), tag: text('tag'), sort: text('sort') === 'stars' ? 'stars' : 'recent' };
}

function listing({ q, tag, sort }: Sought) {
  const listQuery = { ...(q !== '' && { q }), ...(tag !== '' && { tag }), sort };
  return infiniteQueryOptions({
    queryKey: ['listTemplates', {}, listQuery] as const,
    queryFn: ({ pageParam, signal }) =>
      api.listTemplates({ query: { ...listQuery, ...(pageParam !== null && { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    /*
     * Do not retry a failed request, because the server already retries it. After a failure, the page shows a button to
     * try again.
     */
    retry: false,
  });
}

const MOST_PAGES = 20;

function pagesIn(text: unknown): number {
  const pages = Number(text ?? 1);
  return Number.isInteger(pages) && pages >= 1 ? Math.min(pages, MOST_PAGES) : 1;
}

/**
 * Starts to load the list of catalog templates, but does not wait for the response. The catalog is on another server
 * and may be slow.
 */
export function beginListing(queries: QueryClient, search: Record<string, unknown>): void {
  void queries.prefetchInfiniteQuery({ ...listing(soughtIn(search)), pages: pagesIn(search.pages) });
  void queries.prefetchQuery({ ...query('listTemplateTags'), retry: false });
}

export interface Listing {
  /** Catalog templates that have been loaded, or `null` before the first successful response. */
  templates: readonly Template[] | null;
  /** Function that loads the next page of catalog templates. `null` if there is no next page. */
  showMore: (() => void) | null;
  busy: boolean;
  error: Error | null;
  tryAgain: () => void;
}

type Fetched = Pick<InfiniteQueryObserverResult<{ pages: readonly unknown[] }>, 'data' | 'hasNextPage' | 'isError'>;

/**
 * Loads the next page of a list. If all data of the dashboard is fetched again meanwhile, TanStack Query cancels the
 * request for the next page and returns the pages that were already loaded. Then the request is repeated.
 * @param isWanted returns whether the page still shows the same list
 * @returns the number of loaded pages, or `null` if the list is no longer wanted
 */
export async function loadNextPage(
  loaded: number,
  fetchNextPage: () => Promise<Fetched>,
  isWanted: () => boolean,
): Promise<number | null> {
  for (;;) {
    const { data, hasNextPage, isError } = await fetchNextPage();
    if (!isWanted()) return null;
    const pages = data?.pages.length ?? 1;
    if (isError || !hasNextPage || pages > loaded) return pages;
  }
}

export function useListing(sought: Sought): Listing {
  const [, setPages] = useSearchText('pages');
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(listing(sought));
  const list = JSON.stringify(sought);
  const shownList = useRef<string | null>(null);
  useEffect(() => {
    shownList.current = list;
    return () => {
      shownList.current = null;
    };
  }, [list]);
  const showMore = async () => {
    const pages = await loadNextPage(data?.pages.length ?? 0, fetchNextPage, () => shownList.current === list);
    if (pages !== null) setPages(String(pages));
  };
  return {
    templates: data?.pages.flatMap(({ templates }) => templates) ?? null,
    showMore: hasNextPage ? () => void showMore() : null,
    busy: isFetching,
    error,
    tryAgain: () => void refetch(),
  };
}
