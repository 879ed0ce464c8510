import type { QueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { query } from '../api.ts';

/** What every page inside the frame shows: who is signed in, and which instance this is. */
export async function loadShell(queries: QueryClient): Promise<void> {
  await Promise.all([queries.ensureQueryData(query('getMe')), queries.ensureQueryData(query('getInstance'))]);
}

export function Shell() {
  return (
    <div className="flex min-h-dvh flex-col">
      <main className="flex-1">
        <Outlet />
      </main>
    </div>
  );
}
