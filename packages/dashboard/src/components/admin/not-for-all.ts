import { useForbidden, useMe } from '../../layout/me.ts';

/**
 * Returns why the user may not change settings that apply to all projects. Possible reasons are the user's role, and
 * access to only some projects.
 * @param what end of the error sentence `limited to some projects, so you cannot …`
 * @returns the reason, or `null` if the user may change the settings
 */
export function useNotForAll(what: string): string | null {
  const forbidden = useForbidden('administer');
  const { projects } = useMe();
  if (forbidden !== null || projects === null) return forbidden;
  return `You are limited to some projects, so you cannot ${what}. Ask an admin with access to all projects.`;
}
