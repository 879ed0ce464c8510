import { z } from 'zod';
import { Timestamp } from './common.ts';

/** Folders that the kernel provides in every container. A volume there would prevent the container from starting. */
const SYSTEM = ['/proc', '/sys', '/dev'];

/** Path of a volume in the container, in a normalized form for comparisons. */
export const VolumePath = z
  .string()
  .max(255, 'must be at most 255 characters')
  .regex(/^\/./, 'must be an absolute path inside the container, such as “/var/lib/data”, and not “/” itself')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  .regex(/^[^\u0000-\u001f\u007f-\u009f:,\\]*$/, 'must not contain control characters, “:”, “,” or “\\”')
  .refine((path) => !/\/(\.{0,2})(\/|$)/.test(path), 'must be written without “.”, “..”, “//” and a final “/”')
  .refine((path) => !SYSTEM.some((root) => isWithin(root, path)), 'must not be in /proc, /sys or /dev')
  .refine((path) => path !== '/etc', 'must not be /etc, where the engine keeps the container’s own names and hosts')
  .describe('Absolute path in the container. It must not be in another volume of the app.');

/** Returns whether `path` is `root` or below it. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

export const VOLUME_STATES = ['used', 'kept', 'trash'] as const;
export type VolumeState = (typeof VOLUME_STATES)[number];

const shape = {
  id: z.int().describe('Number of the volume. It is never reused.'),
  path: z
    .string()
    .describe(
      'Path in the container, or the last path if no app uses the volume. Empty if unknown: the volume had no record and was adopted.',
    ),
  name: z.string().describe('Name of the volume at the engine. A request to delete the volume must confirm this name.'),
  size_bytes: z
    .int()
    .nullable()
    .optional()
    .describe('Size in bytes, if requested. `null` if the engine did not report it in time.'),
  created_at: Timestamp,
};

export const AppVolume = z.object(shape).meta({ id: 'AppVolume' });
export type AppVolume = z.infer<typeof AppVolume>;

export const Volume = z
  .object({
    ...shape,
    app: z.string().describe('App that uses or last used the volume: `project/environment/app`.'),
    state: z
      .enum(VOLUME_STATES)
      .describe(
        'State of the volume. `used`: an app uses it. `kept`: its app was deleted. `trash`: the volume was deleted and can be restored until `expires_at`.',
      ),
    expires_at: Timestamp.nullable().describe(
      'Time when the volume is permanently deleted. `null` if it is not in the trash.',
    ),
  })
  .meta({ id: 'Volume' });
export type Volume = z.infer<typeof Volume>;

export const VolumeCreate = z
  .strictObject({
    path: VolumePath,
    adopt: z
      .string()
      .min(1)
      .max(63)
      .optional()
      .describe('Name of a kept volume to use instead of a new one. Admins can also use a volume from the trash.'),
  })
  .meta({ id: 'VolumeCreate' });
export type VolumeCreate = z.infer<typeof VolumeCreate>;
