import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { checkTemplateBytes } from '../check-bytes.ts';
import { checkReleaseFiles } from '../release-files.ts';
import type { CheckedFile } from '../report/index.ts';
import { isAddress } from './address.ts';
import { fetchFile } from './fetch-file.ts';
import { readAtMost, releaseFilesIn, templateFolders } from './folder.ts';
import { atMost, type CommandIo, UnreadableError } from './io.ts';

/**
 * Maximum number of bytes that are read from a file. A template must be smaller. Therefore, a larger file is rejected
 * even if only its beginning was read.
 */
const READ_AT_MOST = 1024 * 1024;

/**
 * Result for one argument of `davit-template check`, which is a file, a folder or a URL. The result lists the checked
 * template files.
 */
export interface CheckedTarget {
  /** Whether the argument of `davit-template check` is a folder. A folder can contain several templates. */
  isFolder: boolean;
  files: CheckedFile[];
}

/**
 * Checks the templates in a file, in a folder, at a URL, or from stdin (`-`). If a folder contains no template,
 * searches its subfolders.
 * @throws UnreadableError
 */
export async function checkTarget(target: string, io: CommandIo): Promise<CheckedTarget> {
  if (target === '-') return one('stdin', await atMost(io.stdin, READ_AT_MOST));
  if (isAddress(target)) return one(target, await fetchFile(target, READ_AT_MOST, io));
  try {
    const path = resolve(io.cwd, target);
    const isFolder = (await stat(path)).isDirectory();
    if (!isFolder) return one(target, await readAtMost(path, READ_AT_MOST));
    const folders = await templateFolders(path, target);
    const files: CheckedFile[] = [];
    for (const folder of folders) files.push(await checkFolder(folder, join(target, relative(path, folder))));
    return { isFolder, files };
  } catch (error) {
    throw unreadable(error, target);
  }
}

function one(file: string, bytes: Uint8Array): CheckedTarget {
  return { isFolder: false, files: [checkedFile(file, bytes)] };
}

function checkedFile(file: string, bytes: Uint8Array): CheckedFile {
  const { manifest, diagnostics, text } = checkTemplateBytes(bytes);
  return { file, text, manifest, diagnostics };
}

async function checkFolder(folder: string, shown: string): Promise<CheckedFile> {
  const file = join(shown, 'template.yaml');
  const release = await releaseFilesIn(folder);
  const around = release === null ? [] : checkReleaseFiles(release);
  if (release?.['template.yaml'] === 'missing') return { file, text: null, manifest: null, diagnostics: around };
  const checked = checkedFile(file, await readAtMost(join(folder, 'template.yaml'), READ_AT_MOST));
  const manifest = around.some(({ severity }) => severity === 'error') ? null : checked.manifest;
  return { ...checked, manifest, diagnostics: [...around, ...checked.diagnostics] };
}

const REASONS: Record<string, string> = {
  ENOENT: 'No such file or folder:',
  EACCES: 'No permission to read',
  EPERM: 'No permission to read',
  ENOTDIR: 'No such file or folder:',
  ELOOP: 'Symbolic links form a cycle at',
};

/** Converts a file system error to an error with a message for the user. Returns any other error unchanged. */
export function unreadable(error: unknown, target: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof UnreadableError || code === undefined) return error;
  return new UnreadableError(code in REASONS ? `${REASONS[code]} ${target}.` : `${target} cannot be read: ${message}.`);
}
