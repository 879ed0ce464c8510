import { useAnswer } from '../../api.ts';

/**
 * Returns every environment as `project/environment`.
 * @param project project that limits the result
 */
export function usePlaces(project?: string): string[] {
  return useAnswer('listProjects')
    .filter(({ slug }) => project === undefined || slug === project)
    .flatMap(({ slug, environments }) => environments.map((environment) => `${slug}/${environment}`));
}
