/**
 * Parses typed text as a number. Text that is not a number is returned unchanged, so that the server reports the error.
 */
export function typedNumber(text: string): number {
  const trimmed = text.trim();
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : (trimmed as unknown as number);
}
