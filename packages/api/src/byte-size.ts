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
