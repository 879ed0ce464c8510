import { z } from 'zod';
import { isWithin, VolumePath } from './volume.ts';

/** More than any app needs that does not want an image of its own. */
export const MOST_FILES = 64;
/** Of one file … */
export const MOST_FILE_BYTES = 64 * 1024;
/** … and of all that an app has. */
export const MOST_FILES_BYTES = 256 * 1024;

/** What the engine lays its own over, in every container. */
const ENGINE_OWN = ['/etc/hosts', '/etc/hostname', '/etc/resolv.conf'];

const FilePath = VolumePath.refine(
  (path) => !ENGINE_OWN.includes(path),
  'must not be a file that the engine keeps for itself',
).describe('An absolute path in the container; not in a volume of the app.');

const FileMode = z
  .string()
  .regex(/^0?[0-7]{3}$/, 'must be three octal digits, such as «0644»')
  .transform((mode) => mode.padStart(4, '0'));

const FileVersion = z.string().regex(/^[0-9a-f]{16}$/, 'must be a version as it was answered');

/** What an app's file is; what it holds is sent and never answered, since it may hold secrets. */
export const AppFile = z
  .strictObject({
    path: FilePath,
    content: z
      .string()
      .refine((content) => bytesOf(content) <= MOST_FILE_BYTES, `must be at most ${MOST_FILE_BYTES} bytes`)
      .optional()
      .describe('What it holds. Never answered. Absent: what it holds already.'),
    mode: FileMode.default('0644').describe('Who may read, write and run it, in octal; it is root’s.'),
    version: FileVersion.optional().describe(
      'Becomes another one with what it holds. Sent without `content`: that of this version.',
    ),
  })
  .meta({ id: 'AppFile', description: 'A small file that each instance finds when it starts.' });
export type AppFile = z.infer<typeof AppFile>;

export const AppFileShown = z
  .object({
    path: z.string().describe(FilePath.description ?? ''),
    mode: z.string().describe('In octal.'),
    version: z.string().describe('Becomes another one with what it holds, which is not answered.'),
  })
  .meta({ id: 'AppFileShown' });

export const AppFiles = z
  .array(AppFile)
  .max(MOST_FILES)
  .superRefine((files, ctx) => {
    const refuse = (index: number, message: string) => ctx.addIssue({ code: 'custom', path: [index, 'path'], message });
    const paths = files.map(({ path }) => path);
    for (const [index, path] of paths.entries()) {
      if (paths.indexOf(path) !== index) refuse(index, 'must be of one file alone');
      else if (paths.some((other) => other !== path && isWithin(other, path)))
        refuse(index, 'must not be below another file');
    }
    if (files.reduce((sum, { content = '' }) => sum + bytesOf(content), 0) > MOST_FILES_BYTES)
      ctx.addIssue({ code: 'custom', message: `must be at most ${MOST_FILES_BYTES} bytes together` });
  });

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
