import { allows } from '@davit/api';
import type { QueryClient } from '@tanstack/react-query';
import { query } from '../../api.ts';

/** Whether a loader may ask for what only admins are told; who is none is shown why instead. */
export async function mayAdminister(queries: QueryClient): Promise<boolean> {
  const { role } = await queries.ensureQueryData(query('getMe'));
  return allows(role, 'administer');
}
