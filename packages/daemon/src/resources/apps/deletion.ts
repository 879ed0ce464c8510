import type { OpContext } from '../../auth/context.ts';
import type { AppsDeps } from './deps.ts';

/**
 * Removes the containers and networks of apps and environments that were just marked as deleted. Resolves even if the
 * removal fails, because a reconciler tries again.
 */
export async function removeSoon(
  core: Pick<AppsDeps, 'deploys' | 'runs'>,
  ctx: OpContext,
  project: { id: number },
): Promise<void> {
  try {
    // Docker cannot remove a network while a container uses it, so the runs of the app must end first.
    await core.runs.toldEnded();
    await core.deploys.removeDeleted(project.id);
  } catch (error) {
    // The deletion is already recorded in the database, and the name is free. A reconciler repeats the removal until
    // it succeeds.
    ctx.log.warn({ error }, 'the containers of a deleted app could not be removed; the reconciler tries again');
  }
}
