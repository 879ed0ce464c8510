import type { AppLimits } from '@davit/api';
import type { Limits } from '../../adapters/engine/group.ts';
import type { Work } from './work.ts';

/**
 * What a release's containers get: the revision's variables, then what the platform says of them. A `PORT` that the app
 * was given by hand is left alone.
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

/** Limits of an app in the engine's terms. */
export function engineLimits({ cpu, memory_bytes: memoryBytes, pids }: AppLimits): Limits {
  return { cpu, memoryBytes, pids };
}
