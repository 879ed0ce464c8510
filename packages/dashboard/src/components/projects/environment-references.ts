import { useAnswer } from '../../api.ts';

/**
 * Returns all environments in the form `project/environment`.
 * @param project only return environments of this project; default: all projects
 */
export function useEnvironmentReferences(project?: string): string[] {
  return useAnswer('listProjects')
    .filter(({ slug }) => project === undefined || slug === project)
    .flatMap(({ slug, environments }) => environments.map((environment) => `${slug}/${environment}`));
}
