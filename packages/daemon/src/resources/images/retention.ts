import { isTerminal, type HeldImage as Presented } from '@davit/api';
import type { Reader } from '../../db/store.ts';
import { deploymentById, openDeploymentFrom } from '../../db/tables/deployment.ts';
import { liveOf, needsImage } from '../../db/tables/release.ts';

export type KeptFor = Presented['kept_for'];

/**
 * Returns the reason why Davit keeps the image of a deployment, or `null` if the image is no longer needed.
 * @param keep value of the setting `images.keep`
 */
export function reasonToKeep(db: Reader, deployment: number, keep: number): KeptFor {
  const row = deploymentById(db, deployment);
  if (row === undefined) return null;
  if (!isTerminal(row.status) || openDeploymentFrom(db, deployment) !== undefined) return 'unfinished';
  if (liveOf(db, row.app_id)?.id === deployment) return 'live';
  return needsImage(db, deployment, keep) ? 'rollback' : null;
}
