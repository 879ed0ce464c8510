import { BODY_BYTES, type Instance, MAX_REPLICAS, SLUG_LENGTH } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { diskFigure } from '../../authorization/disk-figures.ts';
import { DEPLOY_LIMITS } from '../deployments/work.ts';
import { listPlatformImages, readPlatformCheck } from '../platform-images/platform-image.ts';
import type { InstanceDeps } from './deps.ts';

const LIMITS: Instance['limits'] = {
  body_bytes: BODY_BYTES,
  slug_length: SLUG_LENGTH,
  scale: MAX_REPLICAS,
  pull_s: DEPLOY_LIMITS.pullMs / 1_000,
  release_command_s: DEPLOY_LIMITS.releaseCommandMs / 1_000,
};

function presentDisk(disk: Instance['disk'], { actor }: OpContext): Instance['disk'] {
  return disk && { ...disk, free_bytes: diskFigure(actor, disk.free_bytes, disk.total_bytes) ?? 0 };
}

/**
 * Returns the state of the instance for the API. Sends no requests to Docker, HAProxy or the registry, because they can
 * respond slowly.
 */
export function readInstance(core: InstanceDeps, ctx: OpContext): Instance {
  const { facts, engine, engineSight, disk, warnings } = core;
  const { available, version } = engineSight();
  return {
    id: facts.id,
    version: facts.version,
    engine: { kind: engine.kind, version, simulated: engine.capabilities.simulated, available },
    domain: facts.domain,
    ports: facts.ports,
    limits: LIMITS,
    disk: presentDisk(disk(), ctx),
    platform_images: listPlatformImages(core, ctx),
    platform_check: readPlatformCheck(core),
    warnings: warnings(ctx.actor.projects),
  };
}
