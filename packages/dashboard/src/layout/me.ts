import { type Me, type Permission, whyForbidden } from '@davit/api';
import { useAnswer } from '../api.ts';

/** Returns the signed-in user. The route loader of the page frame has already fetched the user. */
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
