import { allows } from '@davit/api';
import type { QueryClient } from '@tanstack/react-query';
import { query } from '../../api.ts';

/**
 * Returns whether the user is an admin. The admin pages call this before they load data, because the API refuses the
 * data to other users.
 */
export async function mayAdminister(queries: QueryClient): Promise<boolean> {
  const { role } = await queries.ensureQueryData(query('getMe'));
  return allows(role, 'administer');
}
