const UNITS = ['', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a rounded number of bytes, such as `1.4 GiB`. */
export function roughBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const amount = bytes / 1_024 ** power;
  return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${UNITS[power] || 'B'}`;
}

/**
 * Formats a number of bytes in the largest unit that needs no rounding. `readByteSize` converts the text back to the same
 * number of bytes.
 */
export function writeBytes(bytes: number): string {
  let power = UNITS.length - 1;
  while (power > 0 && !isShort(bytes / 1_024 ** power)) power -= 1;
  return power === 0 ? String(bytes) : `${bytes / 1_024 ** power} ${UNITS[power]}`;
}

/** Returns whether a number is easy to read, such as `1.75`. Such a number is at least 1 and a multiple of 0.25. */
function isShort(amount: number): boolean {
  return amount >= 1 && Number.isInteger(amount * 4);
}
