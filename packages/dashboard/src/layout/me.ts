import { type Me, type Permission, whyForbidden } from '@davit/api';
import { useAnswer } from '../api.ts';

/**
 * Returns the signed-in user. The data is already in the cache, because the dashboard fetches the user before it
 * renders a page.
 */
export function useMe(): Me {
  return useAnswer('getMe');
}

/**
 * Returns why the signed-in user lacks a permission. Disabled buttons show this reason. Returns `null` if the user has
 * the permission.
 */
export function useForbidden(permission: Permission): string | null {
  return whyForbidden(useMe().role, permission);
}
