import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { EXAMPLES, makeExampleRepositories } from '../scripts/example-catalog.ts';

describe('makeExampleRepositories', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'davit-examples-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const umami = () => join(folder, 'davit-examples/umami-template.git');
  const git = (repository: string, ...args: string[]) =>
    execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' });
  const refs = (repository: string) => git(repository, 'for-each-ref', '--format=%(objectname) %(refname)');

  test('creates one repository for each example folder, with a unique ID', async () => {
    await makeExampleRepositories(folder);

    const examples = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' });
    const names = examples.flatMap((path) => /^(.+\/.+)\/repository\.json$/.exec(path)?.[1] ?? []).sort();
    const made = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(made.flatMap((path) => /^([^/]+\/[^/]+)\.git$/.exec(path)?.[1] ?? []).sort(), names);
    const ids = names.map((name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')).id);
    assert.equal(new Set(ids).size, names.length, 'ids are of one repository each');
  });

  test('creates an annotated tag with title and date for each release', async () => {
    await makeExampleRepositories(folder);

    const format = '--format=%(refname:short)|%(objecttype)|%(subject)|%(taggerdate:iso-strict)';
    assert.deepEqual(git(umami(), 'for-each-ref', 'refs/tags', format).trim().split('\n'), [
      'v1.0.0|tag|Umami 2|2026-02-10T10:00:00+00:00',
      'v2.0.0|tag|Umami 3|2026-10-21T07:12:44+00:00',
    ]);
    assert.equal(git(umami(), 'ls-tree', '--name-only', 'v2.0.0'), 'README.md\nicon.png\ntemplate.yaml\n');
    const path = 'davit-examples/umami-template/v2.0.0/template.yaml';
    assert.equal(git(umami(), 'show', 'v2.0.0:template.yaml'), readFileSync(join(EXAMPLES, path), 'utf8'));
  });

  test('creates the same commits in every target folder', async () => {
    const other = join(folder, 'other');
    await Promise.all([makeExampleRepositories(join(folder, 'one')), makeExampleRepositories(other)]);
    const at = (root: string) => refs(join(root, 'davit-community/vaultwarden-template.git'));
    assert.equal(at(join(folder, 'one')), at(other));
    assert.doesNotThrow(() => git(join(other, 'davit-community/vaultwarden-template.git'), 'fsck', '--strict'));
  });

  test('keeps existing repositories and metadata on a second run', async () => {
    await makeExampleRepositories(folder);
    git(umami(), 'tag', 'mine', 'v2.0.0');
    const json = join(folder, 'davit-examples/umami-template.json');
    writeFileSync(json, '{"id": 1, "stars": 5}');
    const before = refs(umami());

    await makeExampleRepositories(folder);

    assert.equal(refs(umami()), before);
    assert.equal(readFileSync(json, 'utf8'), '{"id": 1, "stars": 5}');
  });

  test('adds new releases of an example and keeps existing tags', async () => {
    const examples = join(folder, 'examples');
    const release = join(examples, 'davit-examples/umami-template/v2.0.0');
    cpSync(EXAMPLES, examples, { recursive: true });
    cpSync(release, join(folder, 'later'), { recursive: true });
    rmSync(release, { recursive: true });
    await makeExampleRepositories(folder, examples);
    const first = git(umami(), 'rev-parse', 'v1.0.0');
    git(umami(), 'tag', 'mine', 'v1.0.0');

    cpSync(join(folder, 'later'), release, { recursive: true });
    await makeExampleRepositories(folder, examples);

    assert.equal(git(umami(), 'tag', '--list'), 'mine\nv1.0.0\nv2.0.0\n');
    assert.equal(git(umami(), 'rev-parse', 'v1.0.0'), first);
  });

  test('completes repositories after an interruption and removes temporary folders', async () => {
    mkdirSync(join(folder, '.making/umami-template-gone/repository'), { recursive: true });
    await makeExampleRepositories(folder);
    rmSync(umami(), { recursive: true });

    await makeExampleRepositories(folder);

    assert.ok(existsSync(join(umami(), 'HEAD')));
    assert.ok(!existsSync(join(folder, '.making')));
  });

  test('does not replace a repository from another source', async () => {
    execFileSync('git', ['init', '--quiet', '--bare', umami()]);
    await makeExampleRepositories(folder);
    assert.equal(refs(umami()), '');
  });
});
