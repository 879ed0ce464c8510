import { type Me, type Permission, whyForbidden } from '@davit/api';
import { useAnswer } from '../api.ts';

/** Who is signed in; the frame's loader has asked. */
export function useMe(): Me {
  return useAnswer('getMe');
}

/** Why who is signed in may not do this, for a control that stays where it is; null: he may. */
export function useForbidden(permission: Permission): string | null {
  return whyForbidden(useMe().role, permission);
}
