/**
 * Folders of the registry on the host. The daemon writes the folder `config`, and the registry writes the folder
 * `storage`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, writeDurably } from '@davit/service/durable-files';
import type { ConfigFiles } from './config.ts';

export interface RegistryFolders {
  config: string;
  storage: string;
}

export function foldersIn(dataDir: string): RegistryFolders {
  const folder = join(dataDir, 'registry');
  return { config: join(folder, 'config'), storage: join(folder, 'storage') };
}

/**
 * Creates the registry's folders and writes changed configuration files. Only the daemon's user can read the folders,
 * because the files contain secrets.
 */
export async function writeFolders(folders: RegistryFolders, files: ConfigFiles): Promise<void> {
  for (const folder of [folders.config, folders.storage]) await makeFolder(folder, 0o700);
  for (const [name, content] of Object.entries(files)) await writeChanged(join(folders.config, name), content);
}

async function writeChanged(path: string, content: string): Promise<void> {
  if ((await contentOf(path)) !== content) await writeDurably(path, content);
}

async function contentOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}
