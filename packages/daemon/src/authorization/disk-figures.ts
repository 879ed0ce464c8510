import type { Actor } from '../auth/context.ts';

const STEPS = 100;

/**
 * Returns a disk size in bytes. For users with access to only some projects, the size is rounded to 1 % of the disk.
 * Exact sizes would reveal image layers of other projects.
 * @param total size of the disk in bytes
 */
export function diskFigure(
  { projects }: Pick<Actor, 'projects'>,
  bytes: number | null,
  total: number | null,
): number | null {
  if (projects === null || bytes === null) return bytes;
  if (total === null || total <= 0) return null;
  return Math.round((Math.round((bytes / total) * STEPS) / STEPS) * total);
}
