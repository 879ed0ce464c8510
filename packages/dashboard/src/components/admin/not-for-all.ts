import { useForbidden, useMe } from '../../layout/me.ts';

/**
 * Returns why the user may not change settings that apply to all projects: because of the role, or because the user has
 * access to only some projects.
 * @param what end of the error message `Only an admin with access to all projects can …`
 * @returns the reason, or `null` if the user may change the settings
 */
export function useNotForAll(what: string): string | null {
  const forbidden = useForbidden('administer');
  const { projects } = useMe();
  if (forbidden !== null || projects === null) return forbidden;
  return `Your access is limited to certain projects. Only an admin with access to all projects can ${what}.`;
}
