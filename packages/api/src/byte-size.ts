const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const POWERS: Readonly<Record<string, number>> = { '': 0, k: 1, m: 2, g: 3, t: 4 };

/**
 * Converts a size that a user enters to bytes, such as `64m`, `64Mi`, `64 MiB`, `1.5g` or `1048576`. All units are
 * powers of 1,024. Returns `null` for any other text.
 */
export function readByteSize(text: string): number | null {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*(?:([kmgt])i?)?b?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  return Math.round(Number(digits) * 1_024 ** (POWERS[unit.toLowerCase()] ?? 0));
}

/**
 * Formats a rounded number of bytes, such as `0 B`, `1.5 KiB` or `120 MiB`. All clients share this format, so that users
 * can compare the numbers.
 */
export function bytes(count: number): string {
  let [amount, power] = [count, 0];
  while (rounded(amount) >= 1_024 && power < UNITS.length - 1) {
    amount /= 1_024;
    power += 1;
  }
  return `${rounded(amount)} ${UNITS[power]}`;
}

/**
 * Formats a number of bytes in the largest unit that needs no rounding. `readByteSize` converts the text back to the same
 * number of bytes.
 */
export function exactBytes(count: number): string {
  let power = UNITS.indexOf('TiB');
  while (power > 0 && !isShort(count / 1_024 ** power)) power -= 1;
  return power === 0 ? String(count) : `${count / 1_024 ** power} ${UNITS[power]}`;
}

function rounded(amount: number): number {
  return amount < 100 ? Number(amount.toFixed(1)) : Math.round(amount);
}

/** Returns whether a number is easy to read, such as `1.75`. Such a number is at least 1 and a multiple of 0.25. */
function isShort(amount: number): boolean {
  return amount >= 1 && Number.isInteger(amount * 4);
}
