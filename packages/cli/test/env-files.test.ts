/** Tests the export of variables to an `.env` file and their import from such a file. */
import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { app, paramsOf, project, slug, user } from '@davit/testkit';
import fc from 'fast-check';
import { EXIT } from '../src/errors/exit.ts';
import { Davit, withDavit } from './support/davit.ts';

const SEED = 20_260_303;
const SPECIAL = [
  ...["'", '"', '`', '\\', '\\n', '#', '$HOME', '\n', '\r', ' ', '\t', '=', '\nB=2'],
  ...['\u001b', '\u202e', 'é', '😀'],
];

describe('davit env import and export', () => {
  const on = withDavit();

  const variablesOf = async (name: string) => on.daemon.client.getProjectEnv({ params: { project: name } });
  const set = (name: string, vars: Record<string, string>, secret: string[] = []) =>
    on.daemon.client.setProjectEnv({ params: { project: name }, body: { set: vars, secret } });

  test('copy 500 generated values unchanged, through a file and through a pipe', async (t) => {
    t.diagnostic(`seed ${SEED}`);
    const value = fc.array(fc.constantFrom(...SPECIAL, 'x'), { maxLength: 12 }).map((parts) => parts.join(''));
    const values = fc.sample(value, { numRuns: 500, seed: SEED });
    const given = Object.fromEntries(values.map((one, index) => [`V${index}`, one]));
    const [from, byFile, byPipe] = [await project(on.daemon), await project(on.daemon), await project(on.daemon)];
    await set(from, given);

    const written = await on.davit.run(['env', 'export', from, '-o', 'all.env', '--force']);
    const printed = await on.davit.run(['env', 'export', from]);
    const file = await on.davit.run(['env', 'import', byFile, join(on.davit.folder, 'all.env')]);
    const pipe = await on.davit.run(['env', 'import', byPipe, '-'], { input: printed.stdout });

    assert.deepEqual([written.code, printed.code, file.code, pipe.code], [0, 0, 0, 0], file.stderr + pipe.stderr);
    assert.deepEqual((await variablesOf(byFile)).vars, given);
    assert.deepEqual((await variablesOf(byPipe)).vars, given);
    assert.equal((await stat(join(on.davit.folder, 'all.env'))).mode & 0o777, 0o600);
    assert.equal(await readFile(join(on.davit.folder, 'all.env'), 'utf8'), printed.stdout);
  });

  test('copy as many variables as a project can have', async () => {
    const [from, to] = [await project(on.daemon), await project(on.daemon)];
    const given = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`K${i}`, '"\n'.repeat(60_000)]));
    for (const [name, one] of Object.entries(given)) await set(from, { [name]: one });

    const { stdout } = await on.davit.run(['env', 'export', from]);
    const { code, stderr } = await on.davit.run(['env', 'import', to, '-', '--secret'], { input: stdout });

    assert.equal(code, 0, stderr);
    const copied = await variablesOf(to);
    assert.deepEqual(copied.vars, given);
    assert.deepEqual(copied.secret, Object.keys(given));
  });

  test('import shows names without values and asks only before it overwrites', async () => {
    const name = await project(on.daemon);
    await set(name, { SAME: 'same-value', OTHER: 'old-value', KEPT: 'kept-value' }, ['OTHER']);
    await on.davit.write('some.env', 'SAME=same-value\nNEW=hidden-value\n');
    await on.davit.write('more.env', 'SAME=same-value\nOTHER=hidden-value\n');

    const added = await on.davit.run(['env', 'import', name, 'some.env']);
    const asked = await on.davit.run(['env', 'import', name, 'more.env']);
    const planned = await on.davit.run(['env', 'import', name, 'more.env', '--dry-run']);
    const before = await variablesOf(name);
    const forced = await on.davit.run(['env', 'import', name, 'more.env', '--yes']);

    assert.equal(added.code, 0, added.stderr);
    assert.equal(added.stderr, '+ NEW\n');
    assert.match(added.stdout, /^2 variables of .* are set\. The change takes effect with the next deployment\.\n$/);
    assert.equal(asked.code, EXIT.usage.code);
    assert.match(asked.stderr, /^~ OTHER\nerror: This overwrites 1 variable of .* to continue, add --yes/);
    assert.equal(planned.code, 0, planned.stderr);
    assert.equal(before.vars.OTHER, 'old-value');
    assert.equal(forced.code, 0, forced.stderr);
    assert.deepEqual((await variablesOf(name)).vars, {
      KEPT: 'kept-value',
      NEW: 'hidden-value',
      OTHER: 'hidden-value',
      SAME: 'same-value',
    });
    assert.deepEqual((await variablesOf(name)).secret, ['OTHER']);
    const all = [added, asked, planned, forced].map(({ stdout, stderr }) => stdout + stderr).join('');
    assert.doesNotMatch(all, /-value/);
  });

  test('import fails if the variables change after they were shown', async () => {
    const name = await project(on.daemon);
    let isFirst = true;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await globalThis.fetch(input, init);
      if (isFirst) await set(name, { A: 'changed meanwhile' });
      isFirst = false;
      return response;
    };
    const { code, stderr } = await on.davit.run(['env', 'import', name, '-'], { input: 'A=file\n', fetch });
    assert.equal(code, EXIT.conflict.code, stderr);
    assert.deepEqual((await variablesOf(name)).vars, { A: 'changed meanwhile' });
  });

  test('import warns about lines that it cannot read, without printing them', async () => {
    const name = await project(on.daemon);
    const input = 'A=1\nsecret-line\n# fine\nB="secret-open\n';
    const { code, stderr } = await on.davit.run(['env', 'import', name, '-'], { input });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Warning: stdin has no variable in these lines, which are ignored: 2\.\n/);
    assert.match(stderr, /\nWarning: stdin has values without a closing quote in these lines: 4\./);
    assert.doesNotMatch(stderr, /secret-/);
    assert.deepEqual((await variablesOf(name)).vars, { A: '1', B: '"secret-open' });
  });

  test('import refuses invalid files and changes nothing', async () => {
    const name = await project(on.daemon);
    await writeFile(join(on.davit.folder, 'latin1.env'), Buffer.from('A=\xe9\n', 'latin1'));
    const refused: [string, RegExp][] = [
      ['', /stdin contains no variables/],
      ['# nothing\n', /stdin contains no variables/],
      ['A=1\nsecret-name=2\n', /Cannot import line 2 of stdin: the name must contain only letters/],
      ['A=1\nDAVIT_APP=2\n', /Cannot import line 2 of stdin: the name must not start with “DAVIT_”/],
      [`A=1\n\nB=${'x'.repeat(131_073)}\n`, /Cannot import line 3 of stdin: the value must be at most 128 KiB/],
      ['A=secret\0value\n', /Cannot import line 1 of stdin: the value must not contain NUL/],
      [`A=${'x'.repeat(9 * 1_048_576)}`, /stdin is larger than 8 MiB/],
    ];
    for (const [input, says] of refused) {
      const { code, stderr } = await on.davit.run(['env', 'import', name, '-'], { input });
      assert.equal(code, EXIT.usage.code, stderr);
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /secret/);
    }
    const latin1 = await on.davit.run(['env', 'import', name, 'latin1.env']);
    assert.equal(latin1.code, EXIT.usage.code, latin1.stderr);
    assert.match(latin1.stderr, /latin1\.env is not a text file in UTF-8/);
    for (const path of ['missing.env', '.']) {
      const { code, stderr } = await on.davit.run(['env', 'import', name, path]);
      assert.equal(code, EXIT.usage.code, stderr);
      assert.match(stderr, /Cannot read .* \((ENOENT|EISDIR)\)\. Check the path/);
    }
    assert.deepEqual((await variablesOf(name)).vars, {});
  });

  test('export refuses secrets that the user may not read, and writes no file', async () => {
    const name = await project(on.daemon);
    await set(name, { OPEN: 'a', TOKEN: 'hunter2' }, ['TOKEN']);
    await using viewer = await Davit.at({ url: on.daemon.url, key: user(on.daemon, 'viewer').key });

    const { code, stdout, stderr } = await viewer.run(['env', 'export', name, '-o', 'viewer.env']);

    assert.deepEqual([code, stdout], [EXIT.forbidden.code, '']);
    assert.match(stderr, /You have no permission to read the values of these secrets: TOKEN\./);
    await assert.rejects(stat(join(viewer.folder, 'viewer.env')), { code: 'ENOENT' });
  });

  test('export overwrites a file only with --force', async () => {
    const made = await app(on.daemon);
    const path = `${slug('own')}.env`;
    await on.davit.write(path, 'MINE=1\n');
    const refused = await on.davit.run(['env', 'export', made.reference, '-o', path]);
    assert.deepEqual([refused.code, refused.stdout], [EXIT.conflict.code, '']);
    assert.equal(await readFile(join(on.davit.folder, path), 'utf8'), 'MINE=1\n');

    await on.daemon.client.setAppEnv({ params: paramsOf(made), body: { set: { A: '1' } } });
    const forced = await on.davit.run(['env', 'export', made.reference, '-o', path, '--force']);
    assert.equal(forced.code, 0, forced.stderr);
    assert.equal(await readFile(join(on.davit.folder, path), 'utf8'), 'A=1\n');
    assert.equal((await stat(join(on.davit.folder, path))).mode & 0o777, 0o600);
  });
});
