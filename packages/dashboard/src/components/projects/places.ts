import { useAnswer } from '../../api.ts';

/**
 * Returns all environments in the form `project/environment`.
 * @param project project whose environments are returned; default: all
 */
export function usePlaces(project?: string): string[] {
  return useAnswer('listProjects')
    .filter(({ slug }) => project === undefined || slug === project)
    .flatMap(({ slug, environments }) => environments.map((environment) => `${slug}/${environment}`));
}
