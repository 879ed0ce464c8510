import { z } from 'zod';
import { isWithin } from '../rules/volume-rules.ts';
import { Timestamp } from './common.ts';

/**
 * Folders that the Linux kernel provides in every container. A container with a volume in such a folder could not
 * start.
 */
const SYSTEM = ['/proc', '/sys', '/dev'];

/**
 * Schema for the path of a volume in a container. Only normalized paths are valid, so that paths can be compared as
 * strings.
 */
export const VolumePath = z
  .string()
  .max(255, 'must be at most 255 characters')
  .regex(/^\/./, 'must be an absolute path inside the container, such as “/var/lib/data”, and not “/” itself')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must refuse control characters
  .regex(/^[^\u0000-\u001f\u007f-\u009f:,\\]*$/, 'must not contain control characters, “:”, “,” or “\\”')
  .refine((path) => !/\/(\.{0,2})(\/|$)/.test(path), 'must not contain “.”, “..”, “//” or a “/” at the end')
  .refine((path) => !SYSTEM.some((root) => isWithin(root, path)), 'must not be in /proc, /sys or /dev')
  .refine((path) => path !== '/etc', 'must not be /etc, because Docker stores network files of the container there')
  .describe('Absolute path of the volume in the container. The path must be outside all other volumes of the app.');

export const VOLUME_STATES = ['used', 'kept', 'trash'] as const;
export type VolumeState = (typeof VOLUME_STATES)[number];

const shape = {
  id: z.int().describe('ID of the volume. Davit never reuses the ID.'),
  path: z
    .string()
    .describe(
      'Path of the volume in the container. If no app uses the volume: its last path. Empty if the path is unknown.',
    ),
  name: z.string().describe('Name of the volume in Docker. To delete the volume, send this name as a confirmation.'),
  size_bytes: z
    .int()
    .nullable()
    .optional()
    .describe(
      'Size of the data in the volume in bytes. Only with `sizes=true`. `null` if Docker did not report the size in time.',
    ),
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
        'State of the volume. `used`: an app uses the volume. `kept`: no app uses the volume, because its app was deleted. `trash`: the volume was deleted, and you can restore it until `expires_at`.',
      ),
    expires_at: Timestamp.nullable().describe(
      'Time when Davit permanently deletes the volume. `null` if the volume is not in the trash.',
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
      .describe(
        'Name of an existing detached volume (not in use by any app) to use instead of a new volume. Admins can also specify a volume in the trash.',
      ),
  })
  .meta({ id: 'VolumeCreate' });
export type VolumeCreate = z.infer<typeof VolumeCreate>;
