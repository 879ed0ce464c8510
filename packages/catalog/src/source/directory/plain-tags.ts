import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LARGEST_DESCRIPTION, readLoose } from './loose-objects.ts';
import { readSmall } from './small-file.ts';
import type { Tag } from './tag.ts';

/**
 * Maximum number of Git tags that are read directly from files. If a repository has more tags, the `git` command is
 * faster.
 */
const MOST_TAGS = 100;
const DEEPEST_NAME = 8;
/** Maximum length of a chain of Git tags. Such a chain exists if a tag refers to another tag. */
const LONGEST_CHAIN = 8;
/** Maximum size in bytes of a file that is read directly from the Git folder, such as `packed-refs`. */
const LARGEST_FILE = 1024 * 1024;
/**
 * Replaces the content of a Git file that is too large. `readPlainTags` rejects this text, so the caller uses the `git`
 * command.
 */
const UNREADABLE = '[extensions]';
/** Matches text that Git does not allow in the parts of a tag name between slashes. */
const ODD_PART = /^\.|\.\.|\.$|\.lock$|@\{|[\p{Cc} ~^:?*[\\\u{fffd}]/u;

type Names = Map<string, string>;

/**
 * Reads all tags of a small Git repository directly from its files.
 * @returns `null` if the caller must use the `git` command
 */
export async function readPlainTags(gitDir: string): Promise<Tag[] | null> {
  const names = await namesOf(gitDir);
  if (names === null) return null;
  const tags: Tag[] = [];
  for (const [name, id] of names) {
    const tag = await follow(gitDir, name, id);
    if (tag === null) return null;
    if (tag !== 'no commit') tags.push(tag);
  }
  return tags;
}

async function namesOf(gitDir: string): Promise<Names | null> {
  try {
    const parts = await readdir(gitDir);
    const [head, config] = await Promise.all([text(gitDir, 'HEAD'), text(gitDir, 'config')]);
    const isUsual = /^(?:ref: refs\/|[0-9a-f]{40}\s*$)/.test(head) && !/extensions|include/i.test(config);
    if (!isUsual || !parts.includes('objects') || parts.includes('commondir')) return null;
    const names: Names = new Map();
    /*
     * Tags in single files are read first. If Git moves a tag to `packed-refs` meanwhile, the tag is found in
     * `packed-refs`.
     */
    if (!(await addLoose(names, join(gitDir, 'refs', 'tags'), '', DEEPEST_NAME))) return null;
    if (parts.includes('packed-refs') && !addPacked(names, await text(gitDir, 'packed-refs'))) return null;
    return names.size > MOST_TAGS ? null : names;
  } catch {
    // After an error, the caller uses the `git` command, because the error messages of `git` are better.
    return null;
  }
}

async function text(...path: string[]): Promise<string> {
  return (await readSmall(join(...path), LARGEST_FILE))?.toString('utf8') ?? UNREADABLE;
}

/**
 * Adds the Git tags that are stored as single files in a folder to `names`.
 * @returns `false` if a file is not a valid Git tag
 */
async function addLoose(names: Names, folder: string, prefix: string, depth: number): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const name = `${prefix}${entry.name}`;
    if (ODD_PART.test(entry.name) || names.size > MOST_TAGS || depth === 0) return false;
    if (entry.isDirectory()) {
      if (!(await addLoose(names, path, `${name}/`, depth - 1))) return false;
      continue;
    }
    const id = entry.isFile() ? (await text(path)).trimEnd() : '';
    if (!/^[0-9a-f]{40}$/.test(id)) return false;
    names.set(name, id);
  }
  return true;
}

/**
 * Adds the Git tags from the file `packed-refs`.
 * @returns `false` if a line of the file is not valid
 */
function addPacked(names: Names, packed: string): boolean {
  for (const line of packed.split('\n')) {
    if (line === '' || /^[#^]/.test(line)) continue;
    const [, id = '', ref = ''] = /^([0-9a-f]{40}) (.+)$/.exec(line) ?? [];
    const name = ref.startsWith('refs/tags/') ? ref.slice('refs/tags/'.length) : '';
    if (id === '' || name.split('/').some((part) => ODD_PART.test(part))) return false;
    if (name !== '' && !names.has(name)) names.set(name, id);
  }
  return true;
}

/**
 * Finds the commit of a Git tag. If the tag refers to another tag, follows the chain of tags.
 * @returns `no commit` if the tag does not refer to a commit, or `null` if the caller must use the `git` command
 */
async function follow(gitDir: string, name: string, id: string): Promise<Tag | 'no commit' | null> {
  let [subject, times, at]: [string | null, number[], string] = [null, [], id];
  for (let left = LONGEST_CHAIN; left > 0; left -= 1) {
    const found = await readLoose(gitDir, at, LARGEST_DESCRIPTION);
    if (found?.type === 'tree' || found?.type === 'blob') return 'no commit';
    if (found?.type === 'commit') {
      const committed = timeOf('committer', found.bytes.toString('latin1'));
      return committed === null ? null : { name, subject: subject ?? '', commit: at, times: [...times, committed] };
    }
    const said = found?.bytes.toString('utf8') ?? '';
    const [, next = ''] = /^object ([0-9a-f]{40})\ntype [a-z]+\n/.exec(said) ?? [];
    // Only the `git` command can read tag messages that have a signature or another encoding.
    if (next === '' || /-----BEGIN|\nencoding |[\0\r\u{fffd}]/u.test(said)) return null;
    if (subject === null) [subject, times] = [subjectOf(said), [timeOf('tagger', said) ?? 0]];
    at = next;
  }
  return null;
}

/**
 * Returns the time from a Git `committer` or `tagger` line, in seconds since the epoch. Returns `null` if the line is
 * invalid.
 */
function timeOf(who: string, said: string): number | null {
  const [head = ''] = said.split('\n\n', 1);
  const seconds = new RegExp(`^${who} .*> (\\d{1,12}) [+-]\\d{4}$`, 'm').exec(head)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** Returns the first paragraph of a Git tag message as one line. */
function subjectOf(said: string): string {
  const [, ...message] = said.split('\n\n');
  const [first = ''] = message.join('\n\n').replace(/^\n+/, '').split('\n\n', 1);
  return first.trimEnd().replaceAll('\n', ' ');
}
