import type { AppLimits } from '@davit/api';
import type { Limits } from '../../adapters/engine/group.ts';
import type { Work } from './work.ts';

/**
 * Returns the environment variables for the containers of a release. The result contains the user's variables and
 * variables that Davit adds. If a user sets `PORT`, Davit does not replace its value.
 */
export function releaseEnvironment(
  work: Pick<Work, 'app' | 'deploymentId' | 'variables' | 'row'>,
): Record<string, string> {
  const { port, tag } = work.row();
  const own = Object.fromEntries(work.variables.map(({ key, value }) => [key, value]));
  return {
    ...(port !== null && { PORT: String(port) }),
    ...own,
    DAVIT_APP: work.app.name,
    DAVIT_PROJECT: work.app.project.slug,
    DAVIT_ENVIRONMENT: work.app.environment.slug,
    DAVIT_DEPLOYMENT: String(work.deploymentId),
    DAVIT_TAG: tag,
  };
}

export function engineLimits({ cpu, memory_bytes: memoryBytes, pids }: AppLimits): Limits {
  return { cpu, memoryBytes, pids };
}
