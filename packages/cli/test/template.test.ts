/** Tests the template commands that need no instance: their output and exit codes. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Davit } from './support/davit.ts';

const BROKEN = 'version: 1\nproject: hello\napps:\n  - key: web\n    image: acme/web:v1\n';
const COMPOSE = 'services:\n  web:\n    image: acme/web:v1\n    ports: ["8080:80"]\n    privileged: true\n';
/** Credentials without a key, for an address to which no connection is possible. */
const NOWHERE = { url: 'http://127.0.0.1:1', key: '' };

describe('davit template commands', () => {
  let davit: Davit;
  before(async () => {
    davit = await Davit.at(NOWHERE);
    await davit.write('broken.yaml', BROKEN);
    await davit.write('compose.yaml', COMPOSE);
  });
  after(() => davit[Symbol.asyncDispose]());

  test('check shows each problem with its line and exits with 1', async () => {
    const { code, stdout } = await davit.run(['template', 'check', 'broken.yaml']);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^broken\.yaml:5:\d+: error: .* \[image\.tagged\]\n +5 \| +image: acme\/web:v1\n +\| +\^~+\n/m,
    );
    assert.match(stdout, /broken\.yaml is not valid: 1 error/);
  });

  test('check prints colors on a terminal and plain text otherwise', async () => {
    const plain = await davit.run(['template', 'check', 'broken.yaml']);
    const coloured = await davit.run(['template', 'check', 'broken.yaml'], { isTTY: true });
    assert.ok(!plain.stdout.includes('\u001b'));
    assert.ok(coloured.stdout.includes('\u001b[31merror:'));
  });

  test('check prints JSON, SARIF, or only the names of invalid files', async () => {
    const json = await davit.run(['template', 'check', '--json', 'broken.yaml']);
    assert.deepEqual([json.code, JSON.parse(json.stdout).valid], [1, false]);
    const sarif = await davit.run(['template', 'check', '--sarif', 'broken.yaml']);
    assert.equal(JSON.parse(sarif.stdout).version, '2.1.0');
    assert.equal((await davit.run(['template', 'check', '-q', 'broken.yaml'])).stdout, 'broken.yaml\n');
  });

  test('check reports a missing file in a single sentence and exits with 2', async () => {
    const { code, stderr } = await davit.run(['template', 'check', 'nothing.yaml']);
    assert.deepEqual([code, stderr], [2, 'error: No such file or folder: nothing.yaml.\n']);
  });

  test('import writes a valid template and reports the settings not carried over', async () => {
    const { code, stdout, stderr } = await davit.run(['template', 'import', 'compose.yaml', '-o', 'template.yaml']);
    assert.deepEqual([code, stdout], [0, '']);
    assert.match(stderr, /- privileged: Apps do not run in privileged mode/);
    assert.match(await readFile(join(davit.folder, 'template.yaml'), 'utf8'), /image: acme\/web\n {4}tag: v1\n/);
    assert.equal((await davit.run(['template', 'check', 'template.yaml'])).code, 0);
  });

  test('import overwrites an existing file only with --force', async () => {
    await davit.write('mine.yaml', 'mine');
    const words = ['template', 'import', 'compose.yaml', '-o', 'mine.yaml'];
    const refused = await davit.run(words);
    assert.equal(refused.code, 6);
    assert.match(refused.stderr, /mine\.yaml already exists/);
    assert.equal(await readFile(join(davit.folder, 'mine.yaml'), 'utf8'), 'mine');
    assert.equal((await davit.run([...words, '--force'])).code, 0);
  });

  test('check accepts the output of import from stdin', async () => {
    const { stdout } = await davit.run(['template', 'import', 'compose.yaml']);
    assert.equal((await davit.run(['template', 'check', '-'], { input: stdout })).code, 0);
  });
});
