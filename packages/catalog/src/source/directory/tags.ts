import { releaseUrl } from '../addresses.ts';
import type { SourceRelease } from '../source.ts';
import { readGitTags } from './git-tags.ts';
import { readPlainTags } from './plain-tags.ts';
import type { Tag } from './tag.ts';

/** What a title is cut at, in code points. */
const LONGEST_NAME = 200;
/** The last second that an RFC 3339 time can tell. */
const LAST_SECOND = 253_402_300_799;
/** v1.9 before v1.10, on every machine alike. */
const BY_NUMBERS = new Intl.Collator('en', { numeric: true });

export interface Tags {
  /** Newest first. */
  releases: SourceRelease[];
  /** What git warned of; empty: nothing. */
  warnings: string;
}

/**
 * Every tag of a repository that points to a commit, as a release: an annotated one has its own date and subject, a
 * lightweight one the date of its commit.
 * @throws SourceUnavailable when the repository cannot be read
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

/** Tags of one second are told apart by the numbers in their names: whoever makes releases by a script makes many in one. */
function newestFirst(a: Tag & { seconds: number }, b: Tag & { seconds: number }): number {
  return b.seconds - a.seconds || BY_NUMBERS.compare(b.name, a.name) || (a.name < b.name ? 1 : -1);
}
