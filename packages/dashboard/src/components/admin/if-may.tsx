import type { Permission } from '@davit/api';
import type { ReactNode } from 'react';
import { useWhoCan } from '../../layout/me.ts';

/**
 * Renders instructions for users with a permission. All other users see which roles can perform the action.
 * @param what action that the permission allows, such as `create an app`
 */
export function IfMay({ permission, what, children }: { permission: Permission; what: string; children: ReactNode }) {
  const others = useWhoCan(permission, what);
  return others === null ? children : <p>{others}</p>;
}
