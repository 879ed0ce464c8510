import { readFile } from 'node:fs/promises';

/** An IPv4 address range, with its first and last address as 32-bit numbers. */
interface Range {
  first: number;
  last: number;
}

/**
 * Returns the IPv4 address ranges in the server's routing table. A new Docker network must not use these ranges. Docker
 * itself checks only the ranges of its own networks.
 */
export async function routedRanges(): Promise<Range[]> {
  const table = await readFile('/proc/net/route', 'utf8').catch(() => '');
  return parseRoutes(table);
}

/** Parses `/proc/net/route`. Destination and mask are hexadecimal, in little-endian byte order. */
export function parseRoutes(table: string): Range[] {
  const ranges: Range[] = [];
  for (const line of table.split('\n').slice(1)) {
    const fields = line.split(/\s+/);
    const [destination, mask] = [reversed(fields[1]), reversed(fields[7])];
    // Ignores the server's default route, because its range contains all addresses.
    if (destination === null || mask === null || mask === 0) continue;
    ranges.push({ first: destination, last: destination + (2 ** 32 - 1 - mask) });
  }
  return ranges;
}

function reversed(hexadecimal: string | undefined): number | null {
  if (hexadecimal === undefined || !/^[0-9A-F]{8}$/i.test(hexadecimal)) return null;
  return Buffer.from(hexadecimal, 'hex').readUInt32LE();
}
