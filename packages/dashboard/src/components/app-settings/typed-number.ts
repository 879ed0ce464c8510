/** Parses typed text as a number. Other text is returned unchanged, so that the server reports the error. */
export function typedNumber(text: string): number {
  const trimmed = text.trim();
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : (trimmed as unknown as number);
}
