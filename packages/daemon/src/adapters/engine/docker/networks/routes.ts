import { readFile } from 'node:fs/promises';

/** First and last IPv4 address of a range as 32-bit numbers. */
interface Range {
  first: number;
  last: number;
}

/**
 * Returns the IPv4 ranges for which the server has routes. A new network must not use such a range. Docker checks only
 * its own networks.
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
    // Ignores the default route of the server, because its address range contains all addresses.
    if (destination === null || mask === null || mask === 0) continue;
    ranges.push({ first: destination, last: destination + (2 ** 32 - 1 - mask) });
  }
  return ranges;
}

function reversed(hexadecimal: string | undefined): number | null {
  if (hexadecimal === undefined || !/^[0-9A-F]{8}$/i.test(hexadecimal)) return null;
  return Buffer.from(hexadecimal, 'hex').readUInt32LE();
}
