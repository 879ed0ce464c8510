import { canonicalHost } from '../release/registry.ts';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_HOST_LENGTH = 253;

/**
 * The one spelling of a registry's host as a person may write it: lower case, its port where it has one, Docker Hub by
 * its name. An address in front or a path behind are taken off only where they say nothing: `https://ghcr.io/`.
 * @returns null for what is no host with or without a port
 */
export function normalizeRegistryHost(input: string): string | null {
  const bare = input
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '')
    .replace(/^(index\.docker\.io)\/v1$/, '$1');
  const [host = '', port, ...rest] = bare.split(':');
  if (rest.length > 0 || (port !== undefined && !isPort(port))) return null;
  if (host.length > MAX_HOST_LENGTH || !host.split('.').every((label) => LABEL.test(label))) return null;
  // An image's reference shows its registry by a dot or a port in it: no image could ever name this one.
  if (!host.includes('.') && port === undefined && host !== 'localhost') return null;
  return canonicalHost(bare);
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
}
