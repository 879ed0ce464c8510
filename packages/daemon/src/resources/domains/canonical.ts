/** Functions that normalize IP addresses and networks. All functions are pure. */
import { isIP } from 'node:net';

/**
 * Returns the normalized form of an IP address or a CIDR network. In a network, the bits after the prefix are set to
 * zero. For other text, returns `null`.
 */
export function normalizeNetwork(input: string): string | null {
  const [, text = '', prefixText] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(input) ?? [];
  const family = isIP(text);
  if (family === 0) return null;
  const bits = family === 4 ? 32 : 128;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  if (prefix > bits) return null;
  const mapped = family === 6 && prefix >= 96 ? mappedIpv4(text) : null;
  return mapped === null ? network(family, text, prefix) : network(4, mapped, prefix - 96);
}

/**
 * Returns the IPv4 address in an IPv6 address like `::ffff:192.0.2.1`, or `null` for other addresses. If a socket
 * accepts IPv4 and IPv6, it reports IPv4 clients with such addresses.
 */
function mappedIpv4(text: string): string | null {
  const value = valueOf(6, text);
  return value >> 32n === 0xffffn ? format(4, value & 0xffff_ffffn) : null;
}

function network(family: number, text: string, prefix: number): string {
  const bits = family === 4 ? 32 : 128;
  const behind = BigInt(bits - prefix);
  const address = format(family, (valueOf(family, text) >> behind) << behind);
  return prefix === bits ? address : `${address}/${prefix}`;
}

function valueOf(family: number, text: string): bigint {
  if (family === 4) return text.split('.').reduce((sum, octet) => (sum << 8n) | BigInt(octet), 0n);
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

function format(family: number, value: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
