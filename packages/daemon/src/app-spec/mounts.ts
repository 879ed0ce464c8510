/** What an app's containers hold that two releases cannot hold at once: its volumes and its published ports. */

import type { Reader } from '../db/store.ts';
import { type Mounts, mountsOfDeployment, setMounts } from '../db/tables/mount.ts';
import { type TcpPortRow, tcpPortsOfApp } from '../db/tables/tcp-port.ts';
import { type AppVolumeRow, volumesOfApp } from '../db/tables/volume.ts';
import type { AppSpecDeps } from './deps.ts';

/** In one order, so that equal mounts are equal as JSON. */
export function mountsOf(
  volumes: readonly Pick<AppVolumeRow, 'name' | 'path'>[],
  tcpPorts: readonly Pick<TcpPortRow, 'host_port' | 'container_port'>[],
): Mounts {
  return {
    volumes: volumes.map(({ name, path }) => ({ name, path })),
    tcpPorts: tcpPorts.map((port) => ({ hostPort: port.host_port, containerPort: port.container_port })),
  };
}

/** What the next release of an app is created with. */
export function currentMounts(db: Reader, appId: number): Mounts {
  return mountsOf(volumesOfApp(db, appId), tcpPortsOfApp(db, appId));
}

/**
 * What a deployment is created with: decided once, when it begins, and on record from then on, so that one that is taken
 * up after a crash finds the same containers as the one before.
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
 * Whether the live release was created with something else than the app has now.
 * @param live JSON of what it was created with; null: with nothing
 */
export function mountsDiffer(live: string | null, now: Mounts): boolean {
  const isNone = now.volumes.length === 0 && now.tcpPorts.length === 0;
  return live === null ? !isNone : live !== JSON.stringify(now);
}

/** Only one release at a time can hold any. */
export function isHeldAlone({ volumes, tcpPorts }: Mounts): boolean {
  return volumes.length > 0 || tcpPorts.length > 0;
}
