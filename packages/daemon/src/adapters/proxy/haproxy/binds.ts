/** Listening addresses of HAProxy, and the owner of HAProxy's Unix sockets. Both depend on Davit's server. */
import { networkInterfaces } from 'node:os';

/**
 * Returns the arguments of the HAProxy keyword `bind`.
 * @param address IP address on which HAProxy listens, or `null` for all addresses of the server
 */
export function bindsOf(port: number, address: string | null): string[] {
  if (address) return [address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`];
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));
  return [hasIpv6 ? `:::${port} v4v6` : `*:${port}`];
}

/**
 * Returns the Unix user and group of the daemon. Returns `null` for root, because root can open the sockets of every
 * user.
 */
export function ownUser(): { uid: number; gid: number } | null {
  const uid = process.getuid?.() ?? 0;
  return uid === 0 ? null : { uid, gid: process.getgid?.() ?? 0 };
}
