/**
 * Text form of a recovery key: 13 groups such as `7QK2M`, joined by hyphens. Each group has four base32 characters and a
 * check character, so that a typing error can be found in its group.
 */

/** Characters without I, L, O and U, which look like other characters (Crockford's base32). */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LOOK_ALIKE: Record<string, string> = { O: '0', I: '1', L: '1' };
const BYTES = 32;
const GROUP = 4;
/** 256 bits are 51.2 characters of 5 bits. Zero bits fill the last group. */
const GROUPS = 13;
/** Odd factors, so that each wrong character changes the check character. */
const FACTORS = [1, 3, 5, 7];

/** Error for a text that is not a recovery key. The message contains the number of the wrong group, but not its text. */
export class RecoveryKeyInvalid extends Error {
  override name = 'RecoveryKeyInvalid';
}

/** @param key 32 random bytes */
export function formatRecoveryKey(key: Uint8Array): string {
  const bits = [...key].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const padded = bits.padEnd(GROUPS * GROUP * 5, '0');
  const values = Array.from({ length: GROUPS * GROUP }, (_, n) => Number.parseInt(padded.slice(n * 5, n * 5 + 5), 2));
  return Array.from({ length: GROUPS }, (_, n) => {
    const group = values.slice(n * GROUP, (n + 1) * GROUP);
    return [...group, checkOf(group, n)].map((value) => LETTERS[value]).join('');
  }).join('-');
}

/**
 * Reads a recovery key. Accepts lower-case letters, spaces instead of hyphens, and similar letters.
 * @returns 32 bytes
 * @throws RecoveryKeyInvalid
 */
export function parseRecoveryKey(text: string): Uint8Array {
  const letters = text
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replace(/[OIL]/g, (letter) => LOOK_ALIKE[letter] ?? letter);
  if (letters.length !== GROUPS * (GROUP + 1))
    throw new RecoveryKeyInvalid(
      `A recovery key has ${GROUPS} groups of ${GROUP + 1} characters, but the text has ${letters.length} characters.`,
    );
  const values = [...letters].map((letter) => LETTERS.indexOf(letter));
  let bits = '';
  for (let n = 0; n < GROUPS; n++) {
    const all = values.slice(n * (GROUP + 1), (n + 1) * (GROUP + 1));
    const group = all.slice(0, GROUP);
    if (all.includes(-1) || checkOf(group, n) !== all[GROUP])
      throw new RecoveryKeyInvalid(`Group ${n + 1} of the recovery key has a typing error.`);
    bits += group.map((value) => value.toString(2).padStart(5, '0')).join('');
  }
  return Uint8Array.from({ length: BYTES }, (_, n) => Number.parseInt(bits.slice(n * 8, n * 8 + 8), 2));
}

/** The position of the group is part of the check, so that swapped groups are detected. */
function checkOf(group: readonly number[], position: number): number {
  return group.reduce((sum, value, n) => sum + value * (FACTORS[n] ?? 1), position * 11 + 1) % LETTERS.length;
}
