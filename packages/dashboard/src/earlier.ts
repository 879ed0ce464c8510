/**
 * Loads long lists page by page, newest items first. The URL contains the number of loaded pages, so that a copied link
 * shows the same list.
 */
import type { DavitError, OperationId } from '@davit/api';
import { infiniteQueryOptions, type QueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { type Answer, type Args, api } from './api.ts';
import { nextCursor } from './util/next-cursor.ts';
import { useSearchText } from './util/params.ts';

/** API operations whose response is one page of a list with the newest items first. */
type Listing = Extract<
  OperationId,
  | 'listRuns'
  | 'listScheduleRuns'
  | 'listDeployments'
  | 'listRevisions'
  | 'listTasks'
  | 'listBackups'
  | 'listDatabaseBackups'
>;
type Item<Id extends Listing> = Answer<Id>[number];

interface ListedPage<T> {
  items: T[];
  /** Cursor of the next page of the list. `null` on the last page. */
  next: string | null;
}

type ListOperation = (args: unknown) => Promise<unknown[]>;

function listed<const Id extends Listing>(id: Id, args: Args<Id>) {
  const { params = {}, query: baseQuery = {} } = args as { params?: object; query?: object };
  return infiniteQueryOptions({
    // Start the query key with the operation and its parameters, so that a server event can find the cached list.
    queryKey: [id, params, { ...baseQuery, earlier: true }] as const,
    queryFn: async ({ pageParam, signal }): Promise<ListedPage<Item<Id>>> => {
      let next: string | null = null;
      const onHeaders = (headers: Headers) => {
        next = nextCursor(headers);
      };
      const query = { ...baseQuery, ...(pageParam !== null && { cursor: pageParam }) };
      const items = await (api[id] as unknown as ListOperation)({ ...args, query, signal, onHeaders });
      return { items: items as Item<Id>[], next };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

const MOST_PAGES = 20;

function pagesIn(text: unknown): number {
  const pages = Number(text ?? 1);
  return Number.isInteger(pages) && pages >= 1 ? Math.min(pages, MOST_PAGES) : 1;
}

/**
 * Fetches the first pages of a list in a route loader.
 * @param pages number of pages to fetch, from the URL
 */
export async function loadEarlier<const Id extends Listing>(
  queries: QueryClient,
  id: Id,
  args: Args<Id>,
  pages: unknown,
): Promise<void> {
  await queries.ensureInfiniteQueryData({ ...listed(id, args), pages: pagesIn(pages) });
}

export interface Earlier<T> {
  items: T[];
  /** Function that loads the next page of older items. `null` if there are no older items. */
  showEarlier: (() => void) | null;
  busy: boolean;
  error: DavitError | null;
}

/**
 * Returns the loaded items of a list. The route loader must have fetched the list before. Events from the server keep
 * the list up to date.
 */
export function useEarlier<const Id extends Listing>(id: Id, args: Args<Id>): Earlier<Item<Id>> {
  const [, setPages] = useSearchText('pages');
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage, error } = useSuspenseInfiniteQuery(listed(id, args));
  const showEarlier = async () => {
    const { data: more } = await fetchNextPage();
    setPages(String(more?.pages.length ?? 1));
  };
  return {
    items: data.pages.flatMap(({ items }) => items),
    showEarlier: hasNextPage ? () => void showEarlier() : null,
    busy: isFetchingNextPage,
    error: error as DavitError | null,
  };
}
