/**
 * The proxy's folder on the host: what it starts from. Configuration and map belong together (a host entry names a
 * backend of that configuration), so both are in one folder, and a link that is renamed says which folder counts.
 */
import { mkdir, open, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderedConfig } from './config.ts';

const LINK = 'current';

export class ConfigFiles {
  readonly folder: string;
  /** What is written; null until it was read from disk. */
  #content: Pick<RenderedConfig, 'config' | 'hosts'> | null = null;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Writes both files so that after a crash at any moment either the old or the new pair counts. @returns whether they differed */
  async write({ config, hosts }: RenderedConfig): Promise<boolean> {
    this.#content ??= await this.#read();
    if (this.#content.config === config && this.#content.hosts === hosts) return false;

    const before = await this.#target();
    const target = `config-${Number(before?.replace('config-', '') ?? 0) + 1}`;
    const path = join(this.folder, target);
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { recursive: true, mode: 0o700 });
    await Promise.all([writeDurably(join(path, 'haproxy.cfg'), config), writeDurably(join(path, 'hosts.map'), hosts)]);
    await this.#point(target);
    this.#content = { config, hosts };
    // The one before stays: a proxy that starts right now may be reading it.
    await this.#removeExcept([target, ...(before === null ? [] : [before])]);
    return true;
  }

  /** Makes the pair before the last one count again. */
  async revert(): Promise<void> {
    const current = await this.#target();
    const others = (await readdir(this.folder)).filter((name) => name.startsWith('config-') && name !== current);
    const previous = others.sort((a, b) => Number(b.slice(7)) - Number(a.slice(7)))[0];
    if (previous !== undefined) await this.#point(previous);
    this.#content = null;
  }

  async #point(target: string): Promise<void> {
    const link = join(this.folder, `${LINK}.new`);
    await rm(link, { force: true });
    await symlink(target, link);
    await rename(link, join(this.folder, LINK));
  }

  async #read(): Promise<Pick<RenderedConfig, 'config' | 'hosts'>> {
    const read = (name: string) => readFile(join(this.folder, LINK, name), 'utf8').catch(emptyWhenMissing);
    return { config: await read('haproxy.cfg'), hosts: await read('hosts.map') };
  }

  async #target(): Promise<string | null> {
    return (await readlink(join(this.folder, LINK)).catch(emptyWhenMissing)) || null;
  }

  async #removeExcept(keep: string[]): Promise<void> {
    const names = await readdir(this.folder);
    const stale = names.filter((name) => name.startsWith('config-') && !keep.includes(name));
    await Promise.all(stale.map((name) => rm(join(this.folder, name), { recursive: true, force: true })));
  }
}

function emptyWhenMissing(error: unknown): string {
  if ((error as { code?: unknown }).code === 'ENOENT') return '';
  throw error;
}

async function writeDurably(path: string, content: string): Promise<void> {
  await using file = await open(path, 'w', 0o600);
  await file.writeFile(content);
  await file.datasync();
}
