import type { Actor } from '../auth/context.ts';

const STEPS = 100;

/**
 * Returns a disk size in bytes as the user may see it. A user with access to only some projects gets the size rounded
 * to one percent of the disk. The exact size would reveal whether Davit already stores an image layer for another
 * project.
 * @param bytes used or free bytes
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
