import { allows } from '@davit/api';
import type { QueryClient } from '@tanstack/react-query';
import { query } from '../../api.ts';

/**
 * Returns whether a loader may request data for admins only. The page shows other users why they may not see the data.
 */
export async function mayAdminister(queries: QueryClient): Promise<boolean> {
  const { role } = await queries.ensureQueryData(query('getMe'));
  return allows(role, 'administer');
}
