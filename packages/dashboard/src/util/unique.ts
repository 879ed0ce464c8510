/**
 * Returns a random unique id. `crypto.randomUUID` is not used, because it is not available on pages over plain HTTP.
 */
export function unique(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
