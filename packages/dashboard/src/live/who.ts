import type { Me } from '@davit/api';
import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Reloads the page if another user has signed in in another tab. The reload removes all data of the previous user,
 * including unsaved input.
 */
export function leaveToWhoComes(queries: QueryClient, leave: () => void = leavePage): void {
  /*
   * Compare user names only for the same query object. A sign-in in this tab creates a new query object and needs no
   * reload.
   */
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
  /*
   * Hide the page first. Otherwise, the page shows data of the previous user while the browser asks about unsaved
   * input.
   */
  document.body.hidden = true;
  if (to === location.href) location.reload();
  else location.replace(to);
}
