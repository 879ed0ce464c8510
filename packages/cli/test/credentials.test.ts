/** Tests credentials of external registries that are limited to projects. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Registry } from '@davit/api';
import { withDavit } from './support/davit.ts';

describe('registry credentials', () => {
  const on = withDavit();
  const list = async () => JSON.parse((await on.davit.run(['credential', 'list', '--json'])).stdout) as Registry[];

  test('can be limited to projects, also later without a new password', async () => {
    for (const project of ['shop', 'blog']) await on.daemon.client.createProject({ body: { slug: project } });
    const add = ['credential', 'add', 'registry.example', 'ada', '--no-check'];
    await on.davit.run([...add, '-q'], { input: 'secret\n' });
    const added = await on.davit.run([...add, '--project', 'shop', '-q'], { input: 'secret\n' });
    const number = added.stdout.trim();
    const projects = async () => (await list()).map((registry) => registry.projects);
    assert.deepEqual([added.code, await projects()], [0, [null, ['shop']]], added.stderr);

    // No password is read from stdin.
    const set = ['credential', 'set', number, '--no-check'];
    const both = await on.davit.run([...set, '--project', 'shop', '--project', 'blog']);
    assert.deepEqual([both.code, (await projects())[1]?.toSorted()], [0, ['blog', 'shop']], both.stderr);

    const all = await on.davit.run([...set, '--all-projects']);
    assert.equal(all.code, 6);
    assert.match(all.stderr, /registry\.example already/);
    const unclear = await on.davit.run([...set, '--all-projects', '--project', 'shop']);
    assert.match(unclear.stderr, /--project or --all-projects, not both/);
    const shown = await on.davit.run(['credential', 'list']);
    assert.match(shown.stdout, /ada +all\b[\s\S]*ada +(blog, shop|shop, blog)/);
  });
});
