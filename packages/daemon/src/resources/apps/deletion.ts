import type { OpContext } from '../../auth/context.ts';
import type { AppsDeps } from './deps.ts';

type RemovalDeps = Pick<AppsDeps, 'deploys' | 'runs'>;

/**
 * Removes the containers and networks of apps and environments that were marked as deleted. Resolves even if the
 * removal fails, because a reconciler repeats it.
 */
export async function removeSoon(core: RemovalDeps, ctx: OpContext, project: { id: number }): Promise<void> {
  try {
    await removeNow(core, project);
  } catch (error) {
    // Only logs the error: the app is already marked as deleted, and a reconciler removes its containers later.
    ctx.log.warn({ error }, 'the containers of a deleted app could not be removed; the reconciler tries again');
  }
}

/**
 * Removes the containers and networks of apps and environments that were marked as deleted. Can be repeated.
 * @throws EngineUnavailable, EngineRefused
 */
export async function removeNow(core: RemovalDeps, project: { id: number }): Promise<void> {
  // Docker cannot remove a network that is in use. So the containers of the app's one-off commands are removed first.
  await core.runs.toldEnded();
  await core.deploys.removeDeleted(project.id);
}
