/** Amounts of memory as people write them; the units are those of 1,024. */
const UNITS = ['', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `512 MiB`, `512m`, `1.5g`, `1048576`; null: it is none. */
export function readBytes(text: string): number | null {
  const [, digits, letter = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const power = UNITS.findIndex((unit) => (unit[0] ?? '').toLowerCase() === letter.toLowerCase());
  return Math.round(Number(digits) * 1_024 ** power);
}

/** For people, in few digits: `1.4 GiB`. */
export function roughBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const amount = bytes / 1_024 ** power;
  return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${UNITS[power] || 'B'}`;
}

/** In the largest unit in which it is exact, so that reading it again gives the same. */
export function writeBytes(bytes: number): string {
  let power = UNITS.length - 1;
  while (power > 0 && !isShort(bytes / 1_024 ** power)) power -= 1;
  return power === 0 ? String(bytes) : `${bytes / 1_024 ** power} ${UNITS[power]}`;
}

/** A whole number, or one with a half or a quarter of a unit. */
function isShort(amount: number): boolean {
  return amount >= 1 && Number.isInteger(amount * 4);
}
