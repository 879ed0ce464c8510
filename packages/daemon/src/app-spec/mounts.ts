/**
 * Volumes and published TCP ports of an app's containers. Two releases of an app cannot use the same volume or port at
 * the same time.
 */

import type { Reader } from '../db/store.ts';
import { type Mounts, mountsOfDeployment, setMounts } from '../db/tables/mount.ts';
import { type TcpPortRow, tcpPortsOfApp } from '../db/tables/tcp-port.ts';
import { type AppVolumeRow, volumesOfApp } from '../db/tables/volume.ts';
import type { AppSpecDeps } from './deps.ts';

/**
 * Returns volumes and published ports with their fields in a fixed order. So equal volumes and ports have the same
 * JSON.
 */
export function mountsOf(
  volumes: readonly Pick<AppVolumeRow, 'name' | 'path'>[],
  tcpPorts: readonly Pick<TcpPortRow, 'host_port' | 'container_port'>[],
): Mounts {
  return {
    volumes: volumes.map(({ name, path }) => ({ name, path })),
    tcpPorts: tcpPorts.map((port) => ({ hostPort: port.host_port, containerPort: port.container_port })),
  };
}

/** Returns the volumes and published ports for the next deployment of an app. */
export function currentMounts(db: Reader, appId: number): Mounts {
  return mountsOf(volumesOfApp(db, appId), tcpPortsOfApp(db, appId));
}

/**
 * Returns the volumes and ports of a deployment. The first call saves the app's current volumes and ports, so that they
 * do not change after a crash.
 */
export function claimMounts({ store }: Pick<AppSpecDeps, 'store'>, appId: number, deploymentId: number): Mounts {
  return store.tx((tx) => {
    const claimed = mountsOfDeployment(tx, deploymentId);
    if (claimed !== null) return claimed;
    const mounts = currentMounts(tx, appId);
    setMounts(tx, deploymentId, mounts);
    return mounts;
  });
}

/**
 * Returns whether the volumes or published ports have changed since the live deployment.
 * @param live volumes and ports of the live deployment as JSON, or `null` for none
 */
export function mountsDiffer(live: string | null, now: Mounts): boolean {
  const isNone = now.volumes.length === 0 && now.tcpPorts.length === 0;
  return live === null ? !isNone : live !== JSON.stringify(now);
}

/** Returns whether an app has a volume or a published port. Two releases of such an app cannot run at the same time. */
export function isHeldAlone({ volumes, tcpPorts }: Mounts): boolean {
  return volumes.length > 0 || tcpPorts.length > 0;
}
