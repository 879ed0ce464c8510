import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Ran, runIn, VALID } from '../../test/support/command.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples/templates');
const BROKEN = VALID.replace('acme/web', 'acme/web:v1');
const WARNED = VALID.replace('    health: /healthz\n', '');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'davit-check-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (words: string[], options: { stdin?: string } = {}): Promise<Ran> => runIn(folder, words, options);

const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};

describe('check of a file', () => {
  test('exits with code 0 for a valid file', async () => {
    write('my.yaml', VALID);
    const { code, stdout } = await run(['check', 'my.yaml']);
    assert.deepEqual([code, stdout], [0, 'my.yaml is valid: no problems.\n']);
  });

  test('shows the line of a problem and exits with code 1', async () => {
    write('my.yaml', BROKEN);
    const { code, stdout } = await run(['check', 'my.yaml']);
    assert.equal(code, 1);
    assert.match(stdout, /^my\.yaml:5:\d+: error: .* \[image\.tagged\]\n {3}5 \| {5}image: ghcr\.io\/acme\/web:v1\n/);
    assert.match(stdout, /my\.yaml is not valid: 1 error/);
  });

  test('exits with code 1 for warnings only in strict mode', async () => {
    write('my.yaml', WARNED);
    assert.equal((await run(['check', 'my.yaml'])).code, 0);
    assert.equal((await run(['check', '--strict', 'my.yaml'])).code, 1);
  });

  test('reads the template from standard input', async () => {
    assert.equal((await run(['check', '-'], { stdin: VALID })).stdout, 'stdin is valid: no problems.\n');
    assert.match((await run(['check', '-'], { stdin: '' })).stdout, /yaml\.empty/);
  });

  test('reports a file with invalid encoding or excessive size', async () => {
    writeFileSync(join(folder, 'latin.yaml'), Buffer.from('version: 1 # \xe9\n', 'latin1'));
    writeFileSync(join(folder, 'large.yaml'), Buffer.alloc(20_000_000, 'a'));
    assert.match((await run(['check', 'latin.yaml'])).stdout, /yaml\.encoding/);
    assert.match((await run(['check', 'large.yaml'])).stdout, /yaml\.too-large/);
  });

  test('exits with code 2 if the file does not exist', async () => {
    const { code, stdout, stderr } = await run(['check', 'no.yaml']);
    assert.deepEqual([code, stdout, stderr], [2, '', 'error: No such file or folder: no.yaml.\n']);
  });
});

describe('check of a folder', () => {
  test('checks a lone template.yaml as a single file', async () => {
    write('template.yaml', VALID);
    const { code, stdout } = await run(['check']);
    assert.deepEqual([code, stdout], [0, 'template.yaml is valid: no problems.\n']);
  });

  test('checks a folder with release files as a release', async () => {
    write('template.yaml', VALID);
    write('icon.png', 'no picture');
    const { code, stdout } = await run(['check', '.']);
    assert.equal(code, 1);
    assert.match(stdout, /release\.readme-missing/);
    assert.match(stdout, /icon\.not-png/);
    assert.match(stdout, /template\.yaml is not valid: 2 errors/);
  });

  test('suggests renaming a template.yml in the folder', async () => {
    write('template.yml', VALID);
    const { code, stdout } = await run(['check']);
    assert.equal(code, 1);
    assert.match(stdout, /release\.template-missing/);
    assert.match(stdout, /Rename template\.yml/);
  });

  test('finds all nested templates except in hidden folders, packages and symlinks', async () => {
    for (const path of [
      'b/template.yaml',
      'a/deep/template.yaml',
      '.git/template.yaml',
      'node_modules/x/template.yaml',
    ])
      write(path, VALID);
    symlinkSync(join(folder, 'a'), join(folder, 'c'));
    const { stdout } = await run(['check', '--json', '.']);
    assert.deepEqual(
      JSON.parse(stdout).map(({ file }: { file: string }) => file),
      ['a/deep/template.yaml', 'b/template.yaml'],
    );
  });

  test('exits with code 2 if the folder contains no template', async () => {
    const { code, stderr } = await run(['check']);
    assert.equal(code, 2);
    assert.equal(stderr, 'error: . and the folders below it contain no template.yaml. Check the path.\n');
  });

  test('reports only the broken release among the example templates', async () => {
    cpSync(EXAMPLES, folder, { recursive: true });
    const { code, stdout } = await run(['check', '--json']);
    const files = JSON.parse(stdout) as { file: string; valid: boolean; problems: { code: string }[] }[];
    const refused = files.filter(({ valid }) => !valid);
    assert.deepEqual(
      [code, refused.map(({ file }) => file)],
      [1, ['davit-community/mailpit-template/v1.1.0/template.yaml']],
    );
    assert.ok(refused[0]?.problems.some((problem) => problem.code === 'release.icon-missing'));
  });
});

describe('machine-readable output', () => {
  test('prints a JSON object with the manifest only for a valid file', async () => {
    write('my.yaml', VALID);
    write('bad.yaml', BROKEN);
    const fine = JSON.parse((await run(['check', '--json', 'my.yaml'])).stdout);
    assert.deepEqual([fine.file, fine.valid, fine.problems, fine.manifest.project], ['my.yaml', true, [], 'hello']);
    const bad = JSON.parse((await run(['check', '--json', 'bad.yaml'])).stdout);
    assert.deepEqual(Object.keys(bad), ['file', 'valid', 'problems']);
    assert.equal(bad.problems[0].code, 'image.tagged');
  });

  test('prints a JSON list for several files', async () => {
    write('my.yaml', VALID);
    assert.equal(JSON.parse((await run(['check', '--json', 'my.yaml', 'my.yaml'])).stdout).length, 2);
  });

  test('prints SARIF with the --sarif option', async () => {
    write('bad.yaml', BROKEN);
    const { code, stdout } = await run(['check', '--sarif', 'bad.yaml']);
    const [result] = JSON.parse(stdout).runs[0].results;
    assert.deepEqual(
      [code, result.ruleId, result.locations[0].physicalLocation.region.startLine],
      [1, 'image.tagged', 5],
    );
  });
});

describe('import of a Compose file', () => {
  const COMPOSE = 'services: { web: { image: "acme/web:v1", ports: ["80"], devices: [/dev/kvm] } }\n';

  test('prints the template to stdout and the notes to stderr', async () => {
    write('shop/compose.yaml', COMPOSE);
    const { code, stdout, stderr } = await run(['import', 'shop/compose.yaml']);
    assert.equal(code, 0);
    assert.match(stdout, /^project: shop$/m);
    assert.match(stderr, /- devices: Apps have no access to devices/);
    assert.equal((await run(['check', '-'], { stdin: stdout })).code, 0);
  });

  test('prints a single JSON document with the --json option', async () => {
    const { stdout } = await run(['import', '--json', '--project', 'hello', '-'], { stdin: COMPOSE });
    const { template, notes, problems } = JSON.parse(stdout);
    assert.match(template, /project: hello/);
    assert.ok(notes.length > 0 && Array.isArray(problems));
  });

  test('reports unreadable input and an invalid repository URL', async () => {
    const stderr = async (...words: string[]) => (await run(['import', ...words], { stdin: 'nothing' })).stderr;
    assert.match(await stderr('no.yaml'), /^error: No such file or folder: no\.yaml\.\n$/);
    assert.match(await stderr('.'), /is a folder\. Name the Compose file in it/);
    assert.match(await stderr('-'), /not a Compose file/);
    assert.match(await stderr('--repo', 'git@github.com:a/b', '-'), /not the address of a repository/);
  });
});

describe('command line', () => {
  test('exits with code 2 and a help hint for invalid arguments', async () => {
    for (const words of [['chekc'], ['check', '--jsn'], ['check', '--json', '--sarif'], ['import']]) {
      const { code, stderr } = await run(words);
      assert.equal(code, 2, words.join(' '));
      assert.match(stderr, /^error: .*\nRun “davit-template --help” for a list of commands and options\.\n$/);
    }
  });

  test('prints the usage without a command or with a help option', async () => {
    for (const words of [[], ['--help'], ['check', '-h']]) {
      const { code, stdout } = await run(words);
      assert.equal(code, 0);
      assert.match(stdout, /Usage:/);
    }
  });
});
