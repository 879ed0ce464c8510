import type { OpContext } from '../../auth/context.ts';
import type { AppsDeps } from './deps.ts';

/**
 * Removes the parts of a project that were just marked as deleted. Resolves when they are removed, or when the removal
 * must wait.
 */
export async function removeSoon(
  core: Pick<AppsDeps, 'deploys' | 'runs'>,
  ctx: OpContext,
  project: { id: number },
): Promise<void> {
  try {
    // The network can be removed only after all commands that use it have ended.
    await core.runs.toldEnded();
    await core.deploys.removeDeleted(project.id);
  } catch (error) {
    // The deletion is recorded and the name is free. A reconciler repeats the removal until it succeeds.
    ctx.log.warn({ error }, 'the containers of a deleted app could not be removed; the reconciler tries again');
  }
}
