import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { checkTemplateBytes } from '../check-bytes.ts';
import { checkReleaseFiles } from '../release-files.ts';
import type { CheckedFile } from '../report/index.ts';
import { isAddress } from './address.ts';
import { fetchFile } from './fetch-file.ts';
import { readAtMost, releaseFilesIn, templateFolders } from './folder.ts';
import { atMost, type CommandIo, UnreadableError } from './io.ts';

/** More than any template may have: what is larger is refused for it, so that no more has to be read. */
const READ_AT_MOST = 1024 * 1024;

/** What was named, and what is in it. */
export interface CheckedTarget {
  /** It is a folder, which may hold several. */
  isFolder: boolean;
  files: CheckedFile[];
}

/**
 * Checks what was named: a file, a folder with a template in it or templates below it, an address, or `-` for stdin.
 * @throws UnreadableError when it cannot be read
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
  ENOENT: 'There is no file or folder',
  EACCES: 'You may not read',
  EPERM: 'You may not read',
  ENOTDIR: 'There is no file or folder',
  ELOOP: 'Links lead in a circle at',
};

/** Why a file could not be read, in a sentence. */
export function unreadable(error: unknown, target: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof UnreadableError || code === undefined) return error;
  return new UnreadableError(code in REASONS ? `${REASONS[code]} ${target}.` : `${target} cannot be read: ${message}.`);
}
