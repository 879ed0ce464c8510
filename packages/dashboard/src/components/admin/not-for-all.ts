import { useForbidden, useMe } from '../../layout/me.ts';

/**
 * Returns an error message if the user is not an admin with access to all projects. Otherwise, returns `null`.
 * @param what action that the error message ends with, such as `check for security updates`
 */
export function useNotForAll(what: string): string | null {
  const forbidden = useForbidden('administer');
  const { projects } = useMe();
  if (forbidden !== null || projects === null) return forbidden;
  return `Your access is limited to certain projects. Only an admin with access to all projects can ${what}.`;
}
