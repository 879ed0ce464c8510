import { hash } from 'node:crypto';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { FileAnswer } from '../source.ts';
import { readSmall } from './small-file.ts';

/** Of a commit, of a tag, and of the list of a commit's files. */
export const LARGEST_DESCRIPTION = 64 * 1024;
/** More than `commit 262144` and NUL. */
const LONGEST_HEAD = 32;
/** By how much what cannot be compressed may grow. */
const GROWTH = 4096;
/** Commits whose files are asked for at about the same time. */
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
 * Reads an object that has a file of its own, as all have in a small repository: starting git for each repository would
 * cost more than everything else that is done with it.
 * @returns null when git has to be asked: the object is packed, damaged, larger than `maxBytes`, or absent
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
    // Whatever it is, git says it better.
    return null;
  }
}

function take(whole: Buffer): LooseObject | null {
  const [head = '', type = '', size] = /^([a-z]+) (\d+)\0/.exec(whole.toString('latin1', 0, LONGEST_HEAD)) ?? [];
  const bytes = whole.subarray(head.length);
  return bytes.length === Number(size) ? { type, bytes } : null;
}

/** Files of commits, where they are loose objects. */
export class LooseFiles {
  /** By folder and commit, the one asked last at the end. */
  readonly #lists = new Map<string, Promise<Map<string, Entry> | null>>();

  /** One file at a commit; null: git has to be asked. */
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

/** An entry is `<mode> <name>`, NUL, and twenty bytes of an id. */
function entriesOf(tree: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0, end = tree.indexOf(0); end >= 0; end = tree.indexOf(0, at)) {
    const [mode = '', ...name] = tree.toString('utf8', at, end).split(' ');
    at = end + 21;
    entries.set(name.join(' '), { mode, id: tree.toString('hex', end + 1, at) });
  }
  return entries;
}
