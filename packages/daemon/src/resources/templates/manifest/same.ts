/** What a manifest is known again by. Apart from the check of one, which is large and seldom needed. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Manifest } from '@davit/template';

/** The largest manifest, and the largest file, that is read. */
export const MANIFEST_BYTES = 1024 * 1024;

/** Of a manifest, whatever the order of its keys was where it came from. */
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
