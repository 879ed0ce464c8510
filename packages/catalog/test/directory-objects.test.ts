import assert from 'node:assert/strict';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createLogger } from '@davit/service';
import { DirectorySource } from '../src/source/directory/directory-source.ts';
import { LooseFiles, readLoose } from '../src/source/directory/loose-objects.ts';
import { type SourcePath, SourceUnavailable } from '../src/source/source.ts';
import { GitFolder, git } from './support/git-folder.ts';

const { signal } = new AbortController();
const AT = Date.parse('2026-03-04T05:06:07Z') / 1000;
const MAX = 1024;
const REPOSITORY = { id: 1, nodeId: null, owner: 'acme', name: 'demo' };
const NAME = 'acme/demo';

describe('a file stored as a loose Git object', () => {
  let folder: GitFolder;
  let gitDir: string;
  let source: DirectorySource;
  const run = (...args: string[]) => git([`--git-dir=${gitDir}`, ...args]);

  beforeEach(async () => {
    folder = await GitFolder.make();
    gitDir = folder.gitDir(NAME);
    source = new DirectorySource({ path: folder.path, log: createLogger({ level: 'error' }) });
  });
  afterEach(async () => {
    source[Symbol.dispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('gives the same results before and after packing', async () => {
    const files = {
      'README.md': Buffer.from([0, 1, 0xff, 10]),
      'icon.png/inside': 'x',
      'template.yaml': 'x'.repeat(1025),
      'template.yml': 'x'.repeat(1024),
    };
    await folder.release(NAME, { tag: 'v1', at: AT, files }, { tag: 'v2', at: AT, files: {} });
    const commits = [await run('rev-parse', 'v1'), await run('rev-parse', 'v2')];
    const paths: SourcePath[] = ['README.md', 'icon.png', 'template.yaml', 'template.yml'];
    const answers = async () => {
      using fresh = new DirectorySource({ path: folder.path, log: createLogger({ level: 'error' }) });
      const requests = commits.flatMap((commit) => paths.map((path) => [commit, path] as const));
      return await Promise.all(requests.map(([commit, path]) => fresh.readFile(REPOSITORY, commit, path, MAX, signal)));
    };
    const expected = await answers();
    assert.deepEqual(
      expected.map(({ kind }) => kind),
      ['found', 'missing', 'too-large', 'found', 'missing', 'missing', 'missing', 'missing'],
    );
    await run('repack', '-adq');
    assert.deepEqual(await answers(), expected);
  });

  it('is not read directly if its loose object is damaged', async () => {
    await folder.release(NAME, { tag: 'v1', at: AT, files: { 'README.md': 'whole' } });
    const commit = await run('rev-parse', 'v1');
    const [id, other] = [await run('rev-parse', 'v1:README.md'), await run('rev-parse', 'v1^{tree}')];
    assert.equal((await readLoose(gitDir, id, 5))?.bytes.toString(), 'whole');
    assert.equal(await readLoose(gitDir, id, 4), null, 'too long');
    const objectPath = (of: string) => join(gitDir, 'objects', of.slice(0, 2), of.slice(2));
    await rm(objectPath(id));
    await symlink(objectPath(other), objectPath(id));
    assert.equal(await readLoose(gitDir, id, MAX), null, 'a link');
    await rm(objectPath(id));
    await writeFile(objectPath(id), await readFile(objectPath(other)));
    assert.equal(await readLoose(gitDir, id, MAX), null, 'another object');
    assert.equal(await new LooseFiles().read(gitDir, commit, 'README.md', MAX), null);
    await assert.doesNotReject(source.readFile(REPOSITORY, commit, 'icon.png', MAX, signal));
    await rm(objectPath(id));
    await assert.rejects(source.readFile(REPOSITORY, commit, 'README.md', MAX, signal), SourceUnavailable);
  });
});
