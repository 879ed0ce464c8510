/**
 * Returns the first 12 characters of an image digest. Twelve characters are enough for a person to distinguish two
 * digests.
 */
export function shortDigest(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 12);
}
