import type { Me } from '@davit/api';
import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Reloads the page if a different user has signed in in another tab. All shown and cached data belongs to the previous
 * user. Unsaved input is lost.
 */
export function leaveToWhoComes(queries: QueryClient, leave: () => void = leavePage): void {
  // Compare user names only within one query object, because a sign-in in this tab creates a new one without a reload.
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
  // Hide the page first. Otherwise, it shows the previous user's data while the browser asks about unsaved input.
  document.body.hidden = true;
  if (to === location.href) location.reload();
  else location.replace(to);
}
