import { z } from 'zod';
import { canonicalRegistryHost } from '../image-reference.ts';

const PLAIN = 'http://';
const Network = z.union([z.cidrv4(), z.cidrv6()]);

/**
 * Normalizes one entry of the setting for private registries. The entry is `host` or `host:port`, optionally after
 * `http://`, or a network in CIDR notation. Returns `null` for any other text.
 */
export function canonicalPrivateHost(text: string): string | null {
  const lower = text.trim().toLowerCase();
  if (Network.safeParse(lower).success) return lower;
  const isPlain = lower.startsWith(PLAIN);
  const host = canonicalRegistryHost(isPlain ? lower.slice(PLAIN.length) : lower);
  return host === null ? null : `${isPlain ? PLAIN : ''}${host}`;
}

export const PrivateHost = z
  .string()
  .max(300)
  .overwrite((text) => canonicalPrivateHost(text) ?? text)
  .refine(
    (text) => canonicalPrivateHost(text) !== null,
    'must be a host such as registry.internal:5000, a host with the prefix http://, or a network such as 10.1.0.0/16',
  );
