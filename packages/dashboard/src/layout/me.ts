import { type Me, type Permission, whyForbidden } from '@davit/api';
import { useAnswer } from '../api.ts';
import { whoCan } from './who-can.ts';

/**
 * Returns the signed-in user. The data is already in the cache, because the dashboard fetches the user before it
 * renders a page.
 */
export function useMe(): Me {
  return useAnswer('getMe');
}

/**
 * Returns the reason why the signed-in user lacks a permission, or `null` if the user has the permission. Disabled
 * buttons show this reason.
 */
export function useForbidden(permission: Permission): string | null {
  return whyForbidden(useMe().role, permission);
}

/**
 * Returns a sentence that tells the signed-in user which roles can perform an action, or `null` if the user can perform
 * it.
 */
export function useWhoCan(permission: Permission, what: string): string | null {
  return whoCan(useMe().role, permission, what);
}
