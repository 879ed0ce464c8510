import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { readPlainTags } from '../src/source/directory/plain-tags.ts';
import { readTags } from '../src/source/directory/tags.ts';
import { GitFolder, git, type MadeRelease } from './support/git-folder.ts';

const { signal } = new AbortController();
const AT = Date.parse('2026-03-04T05:06:07Z') / 1000;
const WHO = ['-c', 'advice.nestedTag=false', '-c', 'user.name=a', '-c', 'user.email=a@example.com'];
const NAME = 'acme/demo';

describe('a repository with loose Git objects', () => {
  let folder: GitFolder;
  let gitDir: string;
  const run = (...args: string[]) => git([`--git-dir=${gitDir}`, ...WHO, ...args]);
  const release = (...releases: MadeRelease[]) => folder.release(NAME, ...releases);
  const releases = async () => (await readTags(gitDir, 'acme', 'demo', signal)).releases;

  before(async () => {
    folder = await GitFolder.make();
    gitDir = folder.gitDir(NAME);
  });
  after(() => folder[Symbol.asyncDispose]());
  beforeEach(() => rm(gitDir, { recursive: true, force: true }));

  it('returns the same tags with and without git', async () => {
    const files = { 'README.md': 'x' };
    const messages = [
      'One\nline\n\n\nbody',
      '\n\n Two ',
      '',
      'a \n \nb',
      'tabs\t\u0007',
      'ünï \u{1f389}',
      'x'.repeat(300),
    ];
    await release(
      { tag: 'light', at: AT, files },
      { tag: 'rel/1/ünï#%&+', at: 0, files, message: 'of no time' },
      ...messages.map((message, at) => ({ tag: `v${at}`, at: AT + at, files, message })),
    );
    await run('tag', '-m', 'of a tag', 'nested', 'v0');
    await run('tag', 'of-a-tree', 'v0^{tree}');
    await run('tag', '-m', 'of a tree', 'of-a-tree-too', 'v0^{tree}');
    const loose = await readPlainTags(gitDir);
    assert.equal(loose?.length, messages.length + 3);
    const expected = await releases();
    await run('pack-refs', '--all');
    assert.notEqual(await readPlainTags(gitDir), null, 'names in one file');
    assert.deepEqual(await releases(), expected);
    await run('repack', '-adq');
    assert.equal(await readPlainTags(gitDir), null, 'objects in one file');
    assert.deepEqual(await releases(), expected);
    await release({ tag: 'v1', at: AT + 99, files: {} });
    const moved = (await releases()).find(({ tag }) => tag === 'v1');
    assert.equal(moved?.publishedAt, '2026-03-04T05:07:46Z', 'a tag that was moved since');
  });

  it('returns the same releases for any tag message', async () => {
    const message = fc.string({ unit: fc.constantFrom(...' \n\n\t\rab-é\u{1f389}\\"<>') });
    const [said = []] = fc.sample(fc.array(message, { minLength: 40, maxLength: 40 }), { numRuns: 1, seed: 4 });
    const [first = '', ...rest] = said;
    await release(...said.map((text, at) => ({ tag: `v${at}`, at: AT + at, files: {}, message: text })));
    const expected = await releases();
    assert.equal(expected.length, 1 + rest.length, first);
    await run('repack', '-adq');
    assert.deepEqual(await releases(), expected);
  });

  const ODD: [string, () => Promise<unknown>][] = [
    [
      'the repository uses SHA-256 objects',
      () => writeFile(join(gitDir, 'config'), '[extensions]\nobjectFormat = sha256\n'),
    ],
    ['the configuration includes another file', () => writeFile(join(gitDir, 'config'), '[include]\npath = x\n')],
    [
      'the repository shares the objects of another repository',
      () => writeFile(join(gitDir, 'commondir'), '../other.git\n'),
    ],
    ['HEAD is damaged', () => writeFile(join(gitDir, 'HEAD'), 'nothing')],
    ['a tag is a symbolic reference', () => run('symbolic-ref', 'refs/tags/alias', 'refs/tags/v1')],
    ['a tag is locked', () => writeFile(join(gitDir, 'refs/tags/v1.lock'), '')],
    ['a tag is damaged', () => writeFile(join(gitDir, 'refs/tags/v2'), 'abc')],
    ['a tag is a symbolic link', () => symlink('v1', join(gitDir, 'refs/tags/v2'))],
    ['the file packed-refs is damaged', () => writeFile(join(gitDir, 'packed-refs'), 'abc refs/tags/v2\n')],
    ['packed-refs is a folder', () => mkdir(join(gitDir, 'packed-refs'))],
    [
      'the repository has more than a hundred tags',
      async () => {
        const id = await run('rev-parse', 'v1');
        const lines = Array.from({ length: 120 }, (_, at) => `${id} refs/tags/m${at}\n`);
        await writeFile(join(gitDir, 'packed-refs'), lines.join(''));
      },
    ],
    [
      'a tag is signed',
      async () => {
        const id = await run('rev-parse', 'v1^{commit}');
        const signed = `object ${id}\ntype commit\ntag s\ntagger a <a> 5 +0000\n\nHi\n-----BEGIN PGP SIGNATURE-----\n`;
        await run('update-ref', 'refs/tags/s', await git([`--git-dir=${gitDir}`, 'mktag'], signed));
      },
    ],
  ];
  for (const [why, make] of ODD) {
    it(`leaves reading the tags to git if ${why}`, async () => {
      await release({ tag: 'v1', at: AT, files: {} });
      assert.notEqual(await readPlainTags(gitDir), null);
      await make();
      assert.equal(await readPlainTags(gitDir), null);
    });
  }
});
