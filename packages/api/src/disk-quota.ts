import type { Quota } from './schemas/quota.ts';

/**
 * Returns the reason why a quota contains no measured disk use. Davit measures the disk use only if the project has a
 * disk limit, because a measurement reads the size of every file in every volume.
 */
export function whyDiskUseUnknown({ disk_bytes: limit }: Pick<Quota, 'disk_bytes'>): string {
  return limit === null ? 'not measured, because no disk limit is set' : 'not measured yet';
}
