/**
 * Tests the image tag for a commit. The folder is not trusted, because its Git configuration can name programs that Git
 * runs.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { access, chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { environmentOfProcess } from '../src/process/env.ts';
import type { GitOptions } from '../src/up/git.ts';
import { commitOf } from '../src/up/tag.ts';

const AUTHOR = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'protocol.file.allow=always'];

let home: string;
let folder: string;
/** Path of a program that creates a file when it runs. */
let program: string;
let options: GitOptions;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'davit-tag-'));
  folder = join(home, 'repository');
  program = join(home, 'program');
  await mkdir(folder);
  await writeFile(program, `#!/bin/sh\ntouch ${home}/ran\ncat\n`);
  await chmod(program, 0o755);
  const env = environmentOfProcess({ PATH: process.env.PATH, HOME: home });
  options = { env, signal: new AbortController().signal };
});
afterEach(() => rm(home, { recursive: true, force: true }));

function git(...args: string[]): void {
  execFileSync('git', ['-C', folder, ...AUTHOR, ...args], {
    stdio: 'pipe',
    env: { PATH: process.env.PATH, HOME: home },
  });
}

async function write(name: string, text: string): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function commitAll(): Promise<void> {
  git('init', '-q');
  await write('a', 'one\n');
  git('add', '.');
  git('commit', '-qm', 'one');
}

const hasRun = () =>
  access(join(home, 'ran')).then(
    () => true,
    () => false,
  );

describe('commitOf', () => {
  it('reports new files as dirty unless the user’s Git configuration ignores them', async () => {
    assert.equal(await commitOf(folder, options), null);
    git('init', '-q');
    assert.equal(await commitOf(folder, options), null);
    await commitAll();
    const clean = await commitOf(folder, options);
    assert.deepEqual([clean?.isDirty, clean?.full.startsWith(clean.short)], [false, true]);

    await mkdir(join(home, '.config/git'), { recursive: true });
    await writeFile(join(home, '.config/git/ignore'), '.DS_Store\n');
    await write('.DS_Store', 'x');
    assert.equal((await commitOf(folder, options))?.isDirty, false);
    git('config', '--global', 'core.excludesFile', '~/other-ignore');
    assert.equal((await commitOf(folder, options))?.isDirty, true);
    await writeFile(join(home, 'other-ignore'), '.DS_Store\n');
    assert.equal((await commitOf(folder, options))?.isDirty, false);

    await write('b', '1');
    assert.equal((await commitOf(folder, options))?.isDirty, true);
  });

  it('reports a folder with a submodule as dirty and ignores the submodule’s configuration', async () => {
    await commitAll();
    await cp(folder, join(home, 'library'), { recursive: true });
    git('submodule', '--quiet', 'add', join(home, 'library'), 'library');
    git('commit', '-qm', 'two');
    git('-C', 'library', 'config', 'core.fsmonitor', program);

    assert.equal((await commitOf(folder, options))?.isDirty, true);
    assert.equal(await hasRun(), false);
  });
});

describe('commitOf with an untrusted repository', () => {
  it('does not run the fsmonitor program of an embedded bare repository', async () => {
    for (const [name, text] of Object.entries({
      HEAD: 'ref: refs/heads/main\n',
      config: `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "${program}"\n`,
      'objects/.keep': '',
      'refs/.keep': '',
      Dockerfile: 'FROM scratch\n',
    }))
      await write(`web/${name}`, text);
    await commitAll();
    // The embedded repository needs a commit for `rev-parse`.
    await cp(join(folder, '.git/objects'), join(folder, 'web/objects'), { recursive: true });
    await cp(join(folder, '.git/refs'), join(folder, 'web/refs'), { recursive: true });
    await write('web/HEAD', execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }));

    await commitOf(join(folder, 'web'), options);

    assert.equal(await hasRun(), false);
  });

  for (const [what, settings] of Object.entries({
    'as a monitor': { 'core.fsmonitor': '$program' },
    'as a filter': { 'filter.x.clean': '$program' },
    'as a filter process': { 'filter.x.process': '$program', 'filter.x.required': 'true' },
    'as a filter with an unusual name': { 'filter.x=y.clean': '$program' },
    'as a hook': { 'core.hooksPath': '.hooks' },
    'as an external diff': { 'diff.external': '$program', 'diff.x.textconv': '$program', 'diff.x.command': '$program' },
    'to show a summary': { 'status.submoduleSummary': 'true', 'core.pager': '$program', 'pager.status': '$program' },
    'to fetch a missing object': {
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.url': 'ext::$program',
      'protocol.ext.allow': 'always',
    },
  })) {
    it(`does not run a program that an unpacked archive configures ${what}`, async () => {
      await write('.gitattributes', 'a filter=x diff=x\nb filter=x=y\n');
      await write('b', 'one\n');
      await write('.hooks/post-index-change', `#!/bin/sh\ntouch ${home}/ran\n`);
      await chmod(join(folder, '.hooks/post-index-change'), 0o755);
      await commitAll();
      for (const [name, value] of Object.entries(settings)) git('config', name, value.replace('$program', program));
      // Git compares the content of a file only if its modification time has changed.
      await rm(join(folder, 'a'));
      await write('a', 'two\n');
      await write('b', 'two\n');
      if ('extensions.partialClone' in settings) await rm(join(folder, '.git/objects'), { recursive: true });
      await mkdir(join(folder, '.git/objects'), { recursive: true });

      const commit = await commitOf(folder, options);

      assert.equal(await hasRun(), false);
      assert.notEqual(commit?.isDirty, false);
    });
  }

  it('does not run filters from the user’s Git configuration', async () => {
    await write('.gitattributes', 'a filter=x\n');
    await commitAll();
    git('config', '--global', 'filter.x.clean', program);
    await write('a', 'two\n');

    assert.equal((await commitOf(folder, options))?.isDirty, true);
    assert.equal(await hasRun(), false);
  });
});
