import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const FILE = '/etc/docker/daemon.json';

/**
 * Docker downloads layers with one limit for all projects, by default 3. A slow registry of one project must not block
 * the pulls of others, so this limit must never be reached. The daemon limits the downloads of each project, but Docker
 * also counts the layers that wait in the daemon: 2 images of 127 layers for each project.
 */
const DOWNLOADS = { 'max-concurrent-downloads': 100_000 };

/**
 * Returns the flags for a dockerd. dockerd refuses a setting that is both a flag and in its configuration file, so
 * settings of the file are omitted. dockerd itself reports a file that it cannot read.
 */
export async function engineFlags({ liveRestore = true, file = FILE } = {}) {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  return Object.entries({ ...(liveRestore && { 'live-restore': true }), ...DOWNLOADS })
    .filter(([name]) => !text.includes(JSON.stringify(name)))
    .map(([name, value]) => `--${name}=${value}`);
}

/** Writes the settings for an engine that is not installed yet. A file of the user is not changed. */
export async function writeEngineSettings(file = FILE) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(DOWNLOADS, null, 2)}\n`, { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
