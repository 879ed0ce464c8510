import { useForbidden, useMe } from '../../layout/me.ts';

/**
 * Checks whether the user may change settings that apply to all projects. This requires an admin with access to all
 * projects.
 * @param what end of the error message `Only an admin with access to all projects can …`
 * @returns error message, or `null` if the user may change the settings
 */
export function useNotForAll(what: string): string | null {
  const forbidden = useForbidden('administer');
  const { projects } = useMe();
  if (forbidden !== null || projects === null) return forbidden;
  return `Your access is limited to certain projects. Only an admin with access to all projects can ${what}.`;
}
