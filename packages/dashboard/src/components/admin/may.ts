import { allows } from '@davit/api';
import type { QueryClient } from '@tanstack/react-query';
import { query } from '../../api.ts';

/**
 * Returns whether the user is an admin. Admin pages call this function before they load data, because the API refuses
 * this data to other users.
 */
export async function mayAdminister(queries: QueryClient): Promise<boolean> {
  const { role } = await queries.ensureQueryData(query('getMe'));
  return allows(role, 'administer');
}
