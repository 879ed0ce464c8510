import type { Me } from '@davit/api';
import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Reloads the page when a different user has signed in in another tab, because all shown and cached data belongs to the
 * previous user. Unsaved input is lost.
 */
export function leaveToWhoComes(queries: QueryClient, leave: () => void = leavePage): void {
  // The names are stored by query, because a sign-in on this page removes all queries from the cache.
  const names = new WeakMap<Query, string>();
  queries.getQueryCache().subscribe(({ type, query }) => {
    const me = type === 'updated' && query.queryKey[0] === 'getMe' ? (query.state.data as Me | undefined) : undefined;
    if (me === undefined) return;
    const before = names.get(query) ?? me.username;
    names.set(query, me.username);
    if (before !== me.username) leave();
  });
  for (const query of queries.getQueryCache().findAll({ queryKey: ['getMe'] })) {
    const me = query.state.data as Me | undefined;
    if (me !== undefined) names.set(query, me.username);
  }
}

/**
 * Leaves the page.
 * @param to URL of another page; default: the current page, which is reloaded
 */
export function leavePage(to: string = location.href): void {
  // The browser may ask the user before it discards unsaved input. The page stays hidden meanwhile.
  document.body.hidden = true;
  if (to === location.href) location.reload();
  else location.replace(to);
}
