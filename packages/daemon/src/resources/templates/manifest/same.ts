/**
 * Compares manifests and computes their checksum. These functions are not in the validation module, because that module
 * is large and is loaded only if needed.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Manifest } from '@davit/template';

/** Maximum size of a manifest or a template file, in bytes. */
export const MANIFEST_BYTES = 1024 * 1024;

/** Returns the SHA-256 hash of a manifest. The order of the keys does not change the hash. */
export function sha256Of(manifest: Manifest): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(manifest)))
    .digest('hex');
}

export function isSameManifest(one: Manifest, other: Manifest): boolean {
  return isDeepStrictEqual(one, other);
}

export function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isTree(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
