import { allows } from '@davit/api';
import type { QueryClient } from '@tanstack/react-query';
import { query } from '../../api.ts';

/** Returns whether the user's role is admin. For other users, the route loaders of admin pages request no data. */
export async function mayAdminister(queries: QueryClient): Promise<boolean> {
  const { role } = await queries.ensureQueryData(query('getMe'));
  return allows(role, 'administer');
}
