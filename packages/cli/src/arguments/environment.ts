import { CliError } from '../errors/exit.ts';

export const ENVIRONMENT = { description: 'environment, as project/environment' } as const;

/** @throws CliError with exit `usage` if the reference is not `project/environment` */
export function environmentOf(reference: string): { project: string; environment: string } {
  const [project, environment, ...more] = reference.split('/');
  if (!project || !environment || more.length > 0) {
    throw new CliError('usage', `"${reference}" is not the name of an environment: write project/environment.`);
  }
  return { project, environment };
}
