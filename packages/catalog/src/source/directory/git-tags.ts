import { gitArguments, runGit } from './git.ts';
import type { Tag } from './tag.ts';

/** Of 100,000 tags and what they are called. */
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

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
const PREFIX = 'refs/tags/';

export interface GitTags {
  tags: Tag[];
  /** What git warned of; empty: nothing. */
  warnings: string;
}

/**
 * Every tag of a repository that points to a commit, as git tells of it.
 * @throws SourceUnavailable when the repository cannot be read
 */
export async function readGitTags(gitDir: string, signal: AbortSignal): Promise<GitTags> {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal };
  const command = ['for-each-ref', `--format=${FORMAT}`, PREFIX];
  const { stdout, warnings } = await runGit([...gitArguments(gitDir), ...command], null, limits);
  const tags = parse(stdout);
  const nested = tags.filter(({ commit }) => commit === '');
  if (nested.length > 0) {
    const asked = nested.map(({ name }) => `${PREFIX}${name}^{commit}\n`).join('');
    const check = ['cat-file', '--batch-check=%(objectname) %(objecttype)'];
    const answers = await runGit([...gitArguments(gitDir), ...check], asked, limits);
    const lines = answers.stdout.toString('utf8').split('\n');
    for (const [at, tag] of nested.entries()) tag.commit = /^([0-9a-f]+) commit$/.exec(lines[at] ?? '')?.[1] ?? '';
  }
  return { tags: tags.filter(({ commit }) => commit !== ''), warnings };
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

/** Its commit is empty where it names another tag. Null: it names no commit, or its name is no text. */
function tagOf(fields: string[]): Tag | null {
  const [line = '', type, id = '', peeledType, peeled = '', created = '', committed = '', subject = ''] = fields;
  const ref = line.trimStart();
  const isNested = type === 'tag' && peeledType === 'tag';
  const commit = type === 'commit' ? id : peeledType === 'commit' ? peeled : '';
  if ((commit === '' && !isNested) || ref.includes('\u{fffd}')) return null;
  return { name: ref.slice(PREFIX.length), subject, commit, times: [created, committed].map(Number) };
}
