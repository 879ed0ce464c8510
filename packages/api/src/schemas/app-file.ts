import { z } from 'zod';
import { isWithin, VolumePath } from './volume.ts';

/** Maximum number of files. An app with more files should build its own image. */
export const MOST_FILES = 64;
/** Maximum size of one file in bytes. */
export const MOST_FILE_BYTES = 64 * 1024;
/** Maximum size of all files of an app in bytes. */
export const MOST_FILES_BYTES = 256 * 1024;

/** Files that the engine creates in every container. */
const ENGINE_OWN = ['/etc/hosts', '/etc/hostname', '/etc/resolv.conf'];

const FilePath = VolumePath.refine(
  (path) => !ENGINE_OWN.includes(path),
  'must not be a file that the engine keeps for itself',
).describe('Absolute path in the container. It must not be in a volume of the app.');

const FileMode = z
  .string()
  .regex(/^0?[0-7]{3}$/, 'must be three octal digits, such as “0644”')
  .transform((mode) => mode.padStart(4, '0'));

const FileVersion = z.string().regex(/^[0-9a-f]{16}$/, 'must be a version as it was answered');

/** File of an app. The content is sent but never returned, because it may contain secrets. */
export const AppFile = z
  .strictObject({
    path: FilePath,
    content: z
      .string()
      .refine((content) => bytesOf(content) <= MOST_FILE_BYTES, `must be at most ${MOST_FILE_BYTES} bytes`)
      .optional()
      .describe('Content of the file. No response contains it. If absent, the content does not change.'),
    mode: FileMode.default('0644').describe('File mode in octal. The owner is root.'),
    version: FileVersion.optional().describe(
      'Version of the content. It changes with the content. A request without `content` refers to this version.',
    ),
  })
  .meta({ id: 'AppFile', description: 'Small file in each replica.' });
export type AppFile = z.infer<typeof AppFile>;

export const AppFileShown = z
  .object({
    path: z.string().describe(FilePath.description ?? ''),
    mode: z.string().describe('File mode in octal.'),
    version: z.string().describe('Version of the content. It changes with the content.'),
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
