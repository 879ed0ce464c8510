/** Returns a random unique id. `crypto.randomUUID` exists only on pages that were loaded over HTTPS. */
export function unique(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
