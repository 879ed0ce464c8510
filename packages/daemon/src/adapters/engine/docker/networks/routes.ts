import { readFile } from 'node:fs/promises';

/** First and last address of a range, as numbers. */
interface Range {
  first: number;
  last: number;
}

/**
 * What this machine sends somewhere already: a network of ours over such a range would take its traffic away. The
 * engine itself asks only its own networks. Where the kernel does not say (another system), nothing is left out.
 */
export async function routedRanges(): Promise<Range[]> {
  const table = await readFile('/proc/net/route', 'utf8').catch(() => '');
  return parseRoutes(table);
}

/** Reads the kernel's table: destination and mask are hexadecimal with the bytes reversed. */
export function parseRoutes(table: string): Range[] {
  const ranges: Range[] = [];
  for (const line of table.split('\n').slice(1)) {
    const fields = line.split(/\s+/);
    const [destination, mask] = [reversed(fields[1]), reversed(fields[7])];
    // The default route covers everything and says nothing.
    if (destination === null || mask === null || mask === 0) continue;
    ranges.push({ first: destination, last: destination + (2 ** 32 - 1 - mask) });
  }
  return ranges;
}

function reversed(hexadecimal: string | undefined): number | null {
  if (hexadecimal === undefined || !/^[0-9A-F]{8}$/i.test(hexadecimal)) return null;
  return Buffer.from(hexadecimal, 'hex').readUInt32LE();
}
