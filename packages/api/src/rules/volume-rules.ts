/**
 * Rules that compare the volumes, ports and replicas of an app. The instance checks them, and `davit up` checks them
 * before its first change. This module loads no schemas.
 */

/** Maximum number of volumes per app. The number is limited because each volume is a mount in the app's containers. */
export const MOST_VOLUMES = 32;

/** Returns whether `path` is the folder `root` or a path inside this folder. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** Returns whether one of two volumes would be inside the other, or both would have the same path. */
export function areNested(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

/** Parts of an app that only one container can use: its volumes, and its published TCP ports. */
export interface Unshared {
  volumes: readonly { path: string }[];
  tcpPorts: readonly { host_port: number }[];
}

/** Returns the volume or port because of which an app cannot have several replicas, or `null` if there is none. */
export function unsharedPart(
  scale: number,
  { volumes: [volume], tcpPorts: [port] }: Unshared,
): { volume: string } | { port: number } | null {
  if (scale <= 1) return null;
  if (volume !== undefined) return { volume: volume.path };
  return port === undefined ? null : { port: port.host_port };
}
