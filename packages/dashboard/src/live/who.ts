import type { Me } from '@davit/api';
import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Reloads the page if a different user has signed in in another tab. All shown and cached data belongs to the previous
 * user. Unsaved input is lost.
 */
export function leaveToWhoComes(queries: QueryClient, leave: () => void = leavePage): void {
  // Compare user names only within one query. A sign-in in this tab creates a new query and must not reload the page.
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
 * Opens a URL with a complete page load.
 * @param to URL to open; default: the current URL
 */
export function leavePage(to: string = location.href): void {
  // Hide the data of the previous user first, because the browser may ask about unsaved input before it opens the URL.
  document.body.hidden = true;
  if (to === location.href) location.reload();
  else location.replace(to);
}
