import type { Actor } from '../auth/context.ts';

const STEPS = 100;

/**
 * Returns a size on a disk that all projects share, as an actor may see it. For an actor who is limited to some
 * projects, the size is rounded to one percent of the disk. The exact size would show whether the registry stored a
 * pushed layer again or already had the layer from another project.
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
