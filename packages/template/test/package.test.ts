/**
 * Tests the npm package of the check, installed in an empty folder. The package must run without this repository on
 * Node 20.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Installed, installPacked, oldestNode } from '../../../scripts/testing/packed.ts';

const run = promisify(execFile);
const EXAMPLE = join(import.meta.dirname, '../../../examples/templates/davit-examples/umami-template/v2.0.0');

describe('the packed davit-template package', () => {
  let installed: Installed;
  let node: string;
  before(async () => {
    [installed, node] = await Promise.all([installPacked('template', 'davit-template'), oldestNode()]);
  });
  after(() => installed?.[Symbol.asyncDispose]());

  const davitTemplate = (...args: string[]) => run(node, [installed.command, ...args], { cwd: installed.folder });

  test('installs without dependencies and contains no source files', async () => {
    const found = await readdir(join(installed.folder, 'node_modules'), { recursive: true });
    assert.deepEqual(
      found.filter((path) => /(^|\/)package\.json$/.test(path)),
      ['@davit/template/package.json'],
    );
    const expected =
      /^(bin\/davit-template\.mjs|dist\/[\w-]+\.mjs|dist\/LICENSES\.txt|package\.json|LICENSE|README\.md)$/;
    assert.deepEqual(
      installed.files.filter((path) => !expected.test(path)),
      [],
    );
    const licenses = await readFile(join(installed.folder, 'node_modules/@davit/template/dist/LICENSES.txt'), 'utf8');
    for (const name of [/^yaml$/m, /^zod$/m]) assert.match(licenses, name);
  });

  test('prints the version of package.json for the option --version', async () => {
    assert.equal((await davitTemplate('--version')).stdout, `${installed.manifest.version}\n`);
  });

  test('checks a folder, a file and standard input on the oldest supported Node.js', async () => {
    assert.match((await davitTemplate('check', EXAMPLE)).stdout, /template\.yaml is valid/);

    await writeFile(join(installed.folder, 'bad.yaml'), 'version: 2\n');
    const refused = await davitTemplate('check', 'bad.yaml').catch((error) => error);
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /^bad\.yaml:1:1: error: /);

    const piped = davitTemplate('check', '--json', '-');
    piped.child.stdin?.end(await readFile(join(EXAMPLE, 'template.yaml')));
    assert.equal(JSON.parse((await piped).stdout).manifest.project, 'umami');
  });
});
