/** Converts responses to S3 list requests to the types in `client.ts`. */
import type { _Object, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import type { FoundObject } from './client.ts';

export function itemsOf({
  Contents = [],
  CommonPrefixes = [],
  EncodingType,
}: ListObjectsV2CommandOutput): FoundObject[] {
  // Decode keys only if the response declares URL encoding, because some S3 servers do not support `EncodingType`.
  const plain = EncodingType === 'url' ? decoded : (key: string) => key;
  const folders = CommonPrefixes.flatMap(({ Prefix }) => (Prefix === undefined ? [] : [folderOf(plain(Prefix))]));
  const objects = Contents.flatMap((found) => (found.Key === undefined ? [] : [objectOf(plain(found.Key), found)]));
  return [...folders, ...objects].sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
}

function objectOf(key: string, { Size, LastModified, ETag }: _Object): FoundObject {
  return {
    kind: 'object',
    key,
    bytes: Size ?? null,
    modifiedAt: timeOf(LastModified),
    etag: ETag?.replaceAll('"', '') ?? null,
  };
}

function folderOf(key: string): FoundObject {
  return { kind: 'folder', key, bytes: null, modifiedAt: null, etag: null };
}

/**
 * Decodes a URL-encoded object key. List requests require URL encoding, because XML cannot contain some characters.
 */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    // Return the key unchanged. Some S3 servers return keys without URL encoding even if their response declares it.
    return key;
  }
}

export function timeOf(date: Date | undefined): number | null {
  return date === undefined || Number.isNaN(date.getTime()) ? null : date.getTime();
}
