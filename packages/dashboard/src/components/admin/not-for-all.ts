import { useForbidden, useMe } from '../../layout/me.ts';

/**
 * Why who is signed in may not change what concerns every project: his role, or that he sees only some of them.
 * @param what as in «limited to some projects, so you cannot …»
 * @returns the instance's own sentence; null: he may
 */
export function useNotForAll(what: string): string | null {
  const forbidden = useForbidden('administer');
  const { projects } = useMe();
  if (forbidden !== null || projects === null) return forbidden;
  return `You are limited to some projects, so you cannot ${what}: ask an admin of all projects.`;
}
