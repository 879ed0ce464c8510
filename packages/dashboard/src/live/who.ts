import type { Me } from '@davit/api';
import type { Query, QueryClient } from '@tanstack/react-query';

/**
 * Begins the page anew when somebody else has signed in in another tab: whatever it shows and remembers was read by who
 * was there before. What was typed and not saved goes with it.
 */
export function leaveToWhoComes(queries: QueryClient, leave: () => void = leavePage): void {
  // By query: whoever signs in on this page itself has cleared them all.
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

/** @param to another page; absent: the same one, begun anew */
export function leavePage(to: string = location.href): void {
  // The browser may ask before it leaves what was typed: nothing is to be seen meanwhile.
  document.body.hidden = true;
  if (to === location.href) location.reload();
  else location.replace(to);
}
