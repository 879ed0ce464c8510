/** A number as it was typed; what is none is sent as it is, so that the server says what it takes. */
export function typedNumber(text: string): number {
  const trimmed = text.trim();
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : (trimmed as unknown as number);
}
