import { CliError } from '../errors/exit.ts';

/** Argument for an environment. */
export const ENVIRONMENT = { description: 'the environment, as project/environment' } as const;

/**
 * Parses the reference of an environment.
 * @throws CliError usage
 */
export function environmentOf(reference: string): { project: string; environment: string } {
  const [project, environment, ...more] = reference.split('/');
  if (!project || !environment || more.length > 0) {
    throw new CliError('usage', `"${reference}" is not an environment: write project/environment.`);
  }
  return { project, environment };
}
