import type { Actor } from '../auth/context.ts';

const STEPS = 100;

/**
 * Returns a size on a disk that all projects share, as an actor may see it. Who is limited to some projects gets it in steps
 * of one percent of the disk: the exact size would tell whether the registry stored a pushed layer again, or had it from
 * another project.
 * @param bytes used or free
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
