import { useAnswer } from '../../api.ts';

/** Every environment as `project/environment`. @param project only those of it */
export function usePlaces(project?: string): string[] {
  return useAnswer('listProjects')
    .filter(({ slug }) => project === undefined || slug === project)
    .flatMap(({ slug, environments }) => environments.map((environment) => `${slug}/${environment}`));
}
