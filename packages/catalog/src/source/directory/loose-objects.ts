import { hash } from 'node:crypto';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { FileAnswer } from '../source.ts';
import { readSmall } from './small-file.ts';

/** Maximum size in bytes of a Git commit, tag or tree object. */
export const LARGEST_DESCRIPTION = 64 * 1024;
/**
 * Maximum size in bytes of the header of a Git object file. The header contains the object type, the size and NUL, for
 * example `commit 262144`.
 */
const LONGEST_HEAD = 32;
/** Maximum number of bytes that zlib adds to incompressible data. */
const GROWTH = 4096;
/**
 * Maximum number of Git trees in the cache. The cache is useful because the indexer reads the files of several commits
 * concurrently.
 */
const KEPT_LISTS = 32;
const FOLDERS = new Set(['40000', '160000']);

export interface LooseObject {
  type: string;
  bytes: Buffer;
}

interface Entry {
  mode: string;
  id: string;
}

/**
 * Reads a loose Git object directly from its file. In a small repository, starting a Git process would take longer than
 * all other work.
 * @returns `null` if the caller must use the `git` command
 */
export async function readLoose(gitDir: string, id: string, maxBytes: number): Promise<LooseObject | null> {
  if (!/^[0-9a-f]{40}$/.test(id)) return null;
  try {
    const file = await readSmall(join(gitDir, 'objects', id.slice(0, 2), id.slice(2)), maxBytes + GROWTH);
    if (file === null) return null;
    const whole = inflateSync(file, { maxOutputLength: maxBytes + LONGEST_HEAD });
    const found = hash('sha1', whole) === id ? take(whole) : null;
    return found && found.bytes.length <= maxBytes ? found : null;
  } catch {
    // After an error, the caller uses the `git` command, because the error messages of `git` are better.
    return null;
  }
}

function take(whole: Buffer): LooseObject | null {
  const [head = '', type = '', size] = /^([a-z]+) (\d+)\0/.exec(whole.toString('latin1', 0, LONGEST_HEAD)) ?? [];
  const bytes = whole.subarray(head.length);
  return bytes.length === Number(size) ? { type, bytes } : null;
}

/** Reads files of commits from loose Git objects, without the `git` command. */
export class LooseFiles {
  /** Map from repository folder and commit to the commit's Git tree. The most recently used tree is last. */
  readonly #lists = new Map<string, Promise<Map<string, Entry> | null>>();

  /**
   * Reads one file of a commit from loose Git objects. Returns `null` if the objects are packed. The caller must then
   * use the `git` command.
   */
  async read(gitDir: string, commit: string, path: string, maxBytes: number): Promise<FileAnswer | null> {
    const entries = await this.#list(gitDir, commit);
    if (entries === null) return null;
    const entry = entries.get(path);
    if (entry === undefined || FOLDERS.has(entry.mode)) return { kind: 'missing' };
    const found = await readLoose(gitDir, entry.id, maxBytes);
    return found?.type === 'blob' ? { kind: 'found', bytes: found.bytes } : null;
  }

  #list(gitDir: string, commit: string): Promise<Map<string, Entry> | null> {
    const key = `${commit} ${gitDir}`;
    const list = this.#lists.get(key) ?? readList(gitDir, commit);
    this.#lists.delete(key);
    this.#lists.set(key, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > KEPT_LISTS && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }
}

async function readList(gitDir: string, commit: string): Promise<Map<string, Entry> | null> {
  const found = await readLoose(gitDir, commit, LARGEST_DESCRIPTION);
  const [, id = ''] = /^tree ([0-9a-f]{40})\n/.exec(found?.bytes.toString('latin1', 0, 64) ?? '') ?? [];
  const tree = found?.type === 'commit' ? await readLoose(gitDir, id, LARGEST_DESCRIPTION) : null;
  return tree?.type === 'tree' ? entriesOf(tree.bytes) : null;
}

/** Parses a Git tree object. Each entry of a tree is `<mode> <name>`, NUL, and an object id of 20 bytes. */
function entriesOf(tree: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0, end = tree.indexOf(0); end >= 0; end = tree.indexOf(0, at)) {
    const [mode = '', ...name] = tree.toString('utf8', at, end).split(' ');
    at = end + 21;
    entries.set(name.join(' '), { mode, id: tree.toString('hex', end + 1, at) });
  }
  return entries;
}
