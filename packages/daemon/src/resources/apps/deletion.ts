import type { OpContext } from '../../auth/context.ts';
import type { AppsDeps } from './deps.ts';

type RemovalDeps = Pick<AppsDeps, 'deploys' | 'runs'>;

/**
 * Removes the containers and networks of deleted apps and environments. If Docker fails, the function still resolves,
 * because a background job repeats the removal.
 */
export async function removeSoon(core: RemovalDeps, ctx: OpContext, project: { id: number }): Promise<void> {
  try {
    await removeNow(core, project);
  } catch (error) {
    /*
     * Only log the error, because the app is already marked as deleted. A background job removes the app's containers
     * later.
     */
    ctx.log.warn({ error }, 'the containers of a deleted app could not be removed; the reconciler tries again');
  }
}

/**
 * Removes the containers and networks of deleted apps and environments. The function can safely be called again after
 * an error.
 * @throws EngineUnavailable, EngineRefused
 */
export async function removeNow(core: RemovalDeps, project: { id: number }): Promise<void> {
  /*
   * Docker cannot remove a network while a container uses it. So first remove the containers of the app's one-off
   * commands.
   */
  await core.runs.toldEnded();
  await core.deploys.removeDeleted(project.id);
}
