import { releaseUrl } from '../addresses.ts';
import type { SourceRelease } from '../source.ts';
import { readGitTags } from './git-tags.ts';
import { readPlainTags } from './plain-tags.ts';
import type { Tag } from './tag.ts';

/** Maximum length of a release title in Unicode code points. */
const LONGEST_NAME = 200;
/** Latest time that an RFC 3339 timestamp can represent, in seconds since the epoch. */
const LAST_SECOND = 253_402_300_799;
/**
 * Compares numbers in Git tag names by value, so `v1.9` comes before `v1.10`. The fixed locale gives the same order on
 * all machines.
 */
const BY_NUMBERS = new Intl.Collator('en', { numeric: true });

export interface Tags {
  /** One release per Git tag, newest first. */
  releases: SourceRelease[];
  /** Warnings that Git printed, or an empty string. */
  warnings: string;
}

/**
 * Returns a release for each Git tag that refers to a commit. For a lightweight tag, the release has the date of the
 * commit.
 * @throws SourceUnavailable if the Git repository cannot be read
 */
export async function readTags(gitDir: string, owner: string, name: string, signal: AbortSignal): Promise<Tags> {
  const plain = await readPlainTags(gitDir);
  const { tags, warnings } = plain ? { tags: plain, warnings: '' } : await readGitTags(gitDir, signal);
  const dated = tags.map((tag) => ({ ...tag, seconds: secondsOf(tag) }));
  return { releases: dated.sort(newestFirst).map((tag) => releaseOf(tag, owner, name)), warnings };
}

function secondsOf({ times }: Tag): number {
  return times.find((value) => value > 0 && value <= LAST_SECOND) ?? 0;
}

function releaseOf(
  { name: tag, subject, commit, seconds }: Tag & { seconds: number },
  owner: string,
  name: string,
): SourceRelease {
  const publishedAt = new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  return { tag, name: oneLine(subject) || tag, url: releaseUrl(owner, name, tag), commit, publishedAt };
}

function oneLine(subject: string): string {
  const clean = subject.replace(/\p{Cc}+/gu, ' ').trim();
  return [...clean].slice(0, LONGEST_NAME).join('');
}

/**
 * Compares Git tags, newest first. Scripts can create many tags in one second. Tags of the same second are compared by
 * the numbers in their names.
 */
function newestFirst(a: Tag & { seconds: number }, b: Tag & { seconds: number }): number {
  return b.seconds - a.seconds || BY_NUMBERS.compare(b.name, a.name) || (a.name < b.name ? 1 : -1);
}
