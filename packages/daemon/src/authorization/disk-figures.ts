import type { Actor } from '../auth/context.ts';

const STEPS = 100;

/**
 * Returns a disk size in bytes as a user may see it. For a user who is limited to some projects, it is rounded to one
 * percent of the disk. The exact size would reveal whether Davit has already stored an image layer for another project.
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
