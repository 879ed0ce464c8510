import { useForbidden, useMe } from '../../layout/me.ts';

/**
 * Returns an error message unless the user is an admin with access to all projects.
 * @param what verb phrase at the end of the error message
 */
export function useNotForAll(what: string): string | null {
  const forbidden = useForbidden('administer');
  const { projects } = useMe();
  if (forbidden !== null || projects === null) return forbidden;
  return `Your access is limited to certain projects. Only an admin with access to all projects can ${what}.`;
}
