import { releaseUrl } from '../addresses.ts';
import type { SourceRelease } from '../source.ts';
import { gitArguments, runGit } from './git.ts';

/** Of 100,000 tags and what they are called. */
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** What a title is cut at, in code points. */
const LONGEST_NAME = 200;
/** The last second that an RFC 3339 time can tell. */
const LAST_SECOND = 253_402_300_799;
/** v1.9 before v1.10, on every machine alike. */
const BY_NUMBERS = new Intl.Collator('en', { numeric: true });

/** NUL after each field: no name and no message can hold one. `*` is what an annotated tag names. */
const FIELDS = [
  '%(refname)',
  '%(objecttype)',
  '%(objectname)',
  '%(*objecttype)',
  '%(*objectname)',
  '%(creatordate:unix)',
  '%(*committerdate:unix)',
  '%(if:equals=tag)%(objecttype)%(then)%(contents:subject)%(end)',
];
const FORMAT = `${FIELDS.join('%00')}%00`;

interface Tag {
  ref: string;
  name: string;
  subject: string;
  /** Null: it names something that has to be followed further. */
  commit: string | null;
  seconds: number;
}

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
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal };
  const command = ['for-each-ref', `--format=${FORMAT}`, 'refs/tags'];
  const { stdout, warnings } = await runGit([...gitArguments(gitDir), ...command], null, limits);
  const tags = parse(stdout);
  const nested = tags.filter(({ commit }) => commit === null);
  if (nested.length > 0) {
    const asked = nested.map(({ ref }) => `${ref}^{commit}\n`).join('');
    const check = ['cat-file', '--batch-check=%(objectname) %(objecttype)'];
    const answers = await runGit([...gitArguments(gitDir), ...check], asked, limits);
    const lines = answers.stdout.toString('utf8').split('\n');
    for (const [at, tag] of nested.entries()) tag.commit = /^([0-9a-f]+) commit$/.exec(lines[at] ?? '')?.[1] ?? null;
  }
  const releases = tags.sort(newestFirst).flatMap((tag) => releaseOf(tag, owner, name));
  return { releases, warnings };
}

function parse(stdout: Buffer): Tag[] {
  const fields = stdout.toString('utf8').split('\0');
  const tags: Tag[] = [];
  for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
    const tag = tagOf(fields.slice(at, at + FIELDS.length));
    if (tag !== null) tags.push(tag);
  }
  return tags;
}

/** Null: it does not point to a commit, or its name is no text that could be asked for. */
function tagOf(fields: string[]): Tag | null {
  const [line = '', type, id = '', peeledType, peeled = '', created = '', committed = '', subject = ''] = fields;
  const ref = line.trimStart();
  const isNested = type === 'tag' && peeledType === 'tag';
  const commit = type === 'commit' ? id : peeledType === 'commit' ? peeled : null;
  if ((commit === null && !isNested) || ref.includes('\u{fffd}')) return null;
  const seconds = [created, committed].map(Number).find((value) => value > 0 && value <= LAST_SECOND) ?? 0;
  return { ref, name: ref.slice('refs/tags/'.length), subject: oneLine(subject), commit, seconds };
}

function releaseOf({ name: tag, subject, commit, seconds }: Tag, owner: string, name: string): SourceRelease[] {
  if (commit === null) return [];
  const publishedAt = new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  return [{ tag, name: subject || tag, url: releaseUrl(owner, name, tag), commit, publishedAt }];
}

function oneLine(subject: string): string {
  const clean = subject.replace(/\p{Cc}+/gu, ' ').trim();
  return [...clean].slice(0, LONGEST_NAME).join('');
}

/** Tags of one second are told apart by the numbers in their names: whoever makes releases by a script makes many in one. */
function newestFirst(a: Tag, b: Tag): number {
  return b.seconds - a.seconds || BY_NUMBERS.compare(b.name, a.name) || (a.name < b.name ? 1 : -1);
}
