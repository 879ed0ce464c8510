/** Volumes and published ports of an app's containers. Two releases cannot use them at the same time. */

import type { Reader } from '../db/store.ts';
import { type Mounts, mountsOfDeployment, setMounts } from '../db/tables/mount.ts';
import { type TcpPortRow, tcpPortsOfApp } from '../db/tables/tcp-port.ts';
import { type AppVolumeRow, volumesOfApp } from '../db/tables/volume.ts';
import type { AppSpecDeps } from './deps.ts';

/** Returns mounts in a fixed order, so that equal mounts have equal JSON. */
export function mountsOf(
  volumes: readonly Pick<AppVolumeRow, 'name' | 'path'>[],
  tcpPorts: readonly Pick<TcpPortRow, 'host_port' | 'container_port'>[],
): Mounts {
  return {
    volumes: volumes.map(({ name, path }) => ({ name, path })),
    tcpPorts: tcpPorts.map((port) => ({ hostPort: port.host_port, containerPort: port.container_port })),
  };
}

/** Returns the mounts of the next release of an app. */
export function currentMounts(db: Reader, appId: number): Mounts {
  return mountsOf(volumesOfApp(db, appId), tcpPortsOfApp(db, appId));
}

/**
 * Returns the mounts of a deployment. The mounts are decided once, at the start of the deployment, and then recorded. A
 * deployment that continues after a crash finds the same containers as before.
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
 * Returns whether the mounts of the live release differ from the present mounts of the app.
 * @param live JSON of the live release's mounts, or `null` if it has none
 */
export function mountsDiffer(live: string | null, now: Mounts): boolean {
  const isNone = now.volumes.length === 0 && now.tcpPorts.length === 0;
  return live === null ? !isNone : live !== JSON.stringify(now);
}

/** Returns whether the mounts prevent two releases from running at the same time. */
export function isHeldAlone({ volumes, tcpPorts }: Mounts): boolean {
  return volumes.length > 0 || tcpPorts.length > 0;
}
