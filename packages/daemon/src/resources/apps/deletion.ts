import type { OpContext } from '../../auth/context.ts';
import type { AppsDeps } from './deps.ts';

/** Takes down what was just marked deleted in a project; resolves when it is gone, or when that has to wait. */
export async function removeSoon(
  core: Pick<AppsDeps, 'deploys' | 'runs'>,
  ctx: OpContext,
  project: { id: number },
): Promise<void> {
  try {
    // Its network can only go when no command is connected to it any more.
    await core.runs.toldEnded();
    await core.deploys.removeDeleted(project.id);
  } catch (error) {
    // The deletion is on record and the name is free: a reconciler repeats the removal until the engine lets it.
    ctx.log.warn({ error }, 'removing what was deleted has to wait');
  }
}
