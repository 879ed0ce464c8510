/** Where the proxy listens, and who may speak with it: what the machine decides. */
import { networkInterfaces } from 'node:os';

/** Arguments of `bind`. @param address null: all of the machine's */
export function bindsOf(port: number, address: string | null): string[] {
  if (address) return [address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`];
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));
  return [hasIpv6 ? `:::${port} v4v6` : `*:${port}`];
}

/** Null for root, whose sockets are its own. */
export function ownUser(): { uid: number; gid: number } | null {
  const uid = process.getuid?.() ?? 0;
  return uid === 0 ? null : { uid, gid: process.getgid?.() ?? 0 };
}
