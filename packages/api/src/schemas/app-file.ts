import { z } from 'zod';
import { isWithin } from '../rules/volume-rules.ts';
import { VolumePath } from './volume.ts';

/** Maximum number of configuration files per app. If an app needs more files, its image should contain them. */
export const MOST_FILES = 64;
/** Maximum size of one configuration file of an app, in bytes. */
export const MOST_FILE_BYTES = 64 * 1024;
/** Maximum size of all configuration files of an app together, in bytes. */
export const MOST_FILES_BYTES = 256 * 1024;

/** Files that Docker creates in every container. The configuration files of an app cannot replace these files. */
const ENGINE_OWN = ['/etc/hosts', '/etc/hostname', '/etc/resolv.conf'];

const FilePath = VolumePath.refine(
  (path) => !ENGINE_OWN.includes(path),
  'must not be a file that Docker creates: /etc/hosts, /etc/hostname or /etc/resolv.conf',
).describe('Absolute path of the file in the container. The path must be outside all volumes of the app.');

const FileMode = z
  .string()
  .regex(/^0?[0-7]{3}$/, 'must be three octal digits, such as “0644”')
  .transform((mode) => mode.padStart(4, '0'));

const FileVersion = z.string().regex(/^[0-9a-f]{16}$/, 'must be the version from an earlier response');

/**
 * Configuration file that Davit adds to the containers of an app. The API never returns the content, because the file
 * may contain secrets.
 */
export const AppFile = z
  .strictObject({
    path: FilePath,
    content: z
      .string()
      .refine((content) => bytesOf(content) <= MOST_FILE_BYTES, `must be at most ${MOST_FILE_BYTES} bytes`)
      .optional()
      .describe(
        'Content of the file. No response contains the content. If absent, the stored content does not change.',
      ),
    mode: FileMode.default('0644').describe('File mode in octal. The owner is root.'),
    version: FileVersion.optional().describe(
      'Version of the file content, from an earlier response. To keep the stored content of this file, send `version` instead of `content`.',
    ),
  })
  .meta({ id: 'AppFile', description: 'Small file that Davit creates in each replica of the app.' });
export type AppFile = z.infer<typeof AppFile>;

export const AppFileShown = z
  .object({
    path: z.string().describe(FilePath.description ?? ''),
    mode: z.string().describe('File mode in octal.'),
    version: z.string().describe('Version of the file content. The version changes whenever the content changes.'),
  })
  .meta({ id: 'AppFileShown' });

export const AppFiles = z
  .array(AppFile)
  // The next check compares all pairs of paths, so it would be slow for a long list of files.
  .max(MOST_FILES, { abort: true, error: ({ input }) => tooManyFiles(input) })
  .superRefine((files, ctx) => {
    const refuse = (index: number, message: string) => ctx.addIssue({ code: 'custom', path: [index, 'path'], message });
    const paths = files.map(({ path }) => path);
    for (const [index, path] of paths.entries()) {
      if (paths.indexOf(path) !== index) refuse(index, 'is used by another file: use each path once');
      else if (paths.some((other) => other !== path && isWithin(other, path)))
        refuse(index, 'must not use another file as a folder');
    }
    if (files.reduce((sum, { content = '' }) => sum + bytesOf(content), 0) > MOST_FILES_BYTES)
      ctx.addIssue({ code: 'custom', message: `must have at most ${MOST_FILES_BYTES} bytes in total` });
  });

/** Maximum number of folders that the error message about too many files names. */
const NAMED_FOLDERS = 3;

/**
 * Returns the error message for too many files. The message names the folders with the most files, because the limit
 * applies to the files of all mounted folders together.
 */
function tooManyFiles(input: unknown): string {
  const limit = `must have at most ${MOST_FILES} files in total`;
  // Zod checks the length of a list even if the list contains invalid items, such as a file without a path.
  const files = z.array(z.object({ path: FilePath })).safeParse(input).data ?? [];
  if (files.length === 0) return limit;
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.slice(0, path.lastIndexOf('/')) || '/';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const largest = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, NAMED_FOLDERS);
  const named = largest.map(([folder, count]) => `${count} in ${folder}`);
  const others = largest.reduce((left, [, count]) => left - count, files.length);
  const parts = others === 0 ? named : [...named, `${others} in other folders`];
  return `${limit}, but has ${files.length}: ${parts.join(', ')}`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
