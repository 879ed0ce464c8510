import { gitArguments, runGit } from './git.ts';
import type { Tag } from './tag.ts';

/** Maximum output of the `git` command in bytes. This size is enough for 100,000 tags. */
const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/**
 * Output format of `git for-each-ref` with NUL between fields. `*` stands for the object to which an annotated tag
 * refers.
 */
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
  /** Warnings that Git printed, or an empty string. */
  warnings: string;
}

/**
 * Reads the tags of a Git repository that refer to a commit.
 * @throws SourceUnavailable if the Git repository cannot be read
 */
export async function readGitTags(gitDir: string, signal: AbortSignal): Promise<GitTags> {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal };
  const command = ['for-each-ref', `--format=${FORMAT}`, PREFIX];
  const { stdout, warnings } = await runGit([...gitArguments(gitDir), ...command], null, limits);
  const tags = parse(stdout);
  const nested = tags.filter(({ commit }) => commit === '');
  if (nested.length > 0) {
    const objectNames = nested.map(({ name }) => `${PREFIX}${name}^{commit}\n`).join('');
    const check = ['cat-file', '--batch-check=%(objectname) %(objecttype)'];
    const answers = await runGit([...gitArguments(gitDir), ...check], objectNames, limits);
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

/**
 * Parses one Git tag. Returns `null` if the tag does not refer to a commit, or if its name is not UTF-8. If the tag
 * refers to another tag, the caller adds the commit.
 */
function tagOf(fields: string[]): Tag | null {
  const [line = '', type, id = '', peeledType, peeled = '', created = '', committed = '', subject = ''] = fields;
  const ref = line.trimStart();
  const isNested = type === 'tag' && peeledType === 'tag';
  const commit = type === 'commit' ? id : peeledType === 'commit' ? peeled : '';
  if ((commit === '' && !isNested) || ref.includes('\u{fffd}')) return null;
  return { name: ref.slice(PREFIX.length), subject, commit, times: [created, committed].map(Number) };
}
