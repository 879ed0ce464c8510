/** `davit project delete`: the list of the contents, the refusal during another task, and the deletion. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Task } from '@davit/api';
import { app, database, paramsOf, project } from '@davit/testkit';
import { EXIT } from '../src/errors/exit.ts';
import { withDavit } from './support/davit.ts';

describe('davit project delete', () => {
  const on = withDavit();

  /** Creates a project with an app, its volume and domain, and a database. */
  async function shop(): Promise<string> {
    const name = await project(on.daemon);
    const made = await app(on.daemon, { project: name, name: 'web' });
    await on.daemon.client.addDomain({ params: paramsOf(made), body: { host: `${name}.example.com` } });
    await on.daemon.client.addVolume({ params: paramsOf(made), body: { path: '/data' } });
    await database(on.daemon, { project: name, name: 'main' });
    return name;
  }

  test('shows the contents before it asks for the name', async () => {
    const name = await shop();

    const { code, stderr } = await on.davit.run(['project', 'delete', name]);

    assert.equal(code, EXIT.usage.code, stderr);
    const lines = [
      '  environment production',
      `  app ${name}/production/web (${name}.example.com)`,
      `  volume /data of ${name}/production/web`,
    ];
    for (const line of lines) assert.ok(stderr.split('\n').includes(line), stderr);
    assert.match(
      stderr,
      new RegExp(`^Will move to the trash for \\d+ days:\n {2}database ${name}/production/main `, 'm'),
    );
    const titles = stderr.split('\n').filter((line) => /^[A-Z].*:$/.test(line));
    assert.deepEqual([titles.length, new Set(titles).size], [2, 2], stderr);
    for (const title of titles) assert.match(title, /^Will /);
    assert.equal((await on.daemon.client.getProject({ params: { project: name } })).slug, name);
  });

  test('deletes the project with its contents', async () => {
    const name = await shop();

    const { code, stdout, stderr } = await on.davit.run(['project', 'delete', name, '--yes']);

    assert.equal(code, EXIT.ok.code, stderr);
    assert.match(stdout, new RegExp(`^Deleted project ${name}\\.$`, 'm'));
    assert.match(stderr, /✓ Remove the object stores /);
    assert.doesNotMatch(stderr, /object_stores/);
    const gone = await on.davit.run(['project', 'get', name]);
    assert.equal(gone.code, EXIT.not_found.code);
  });

  test('prints the running task with --json and --no-wait', async () => {
    const name = await project(on.daemon);

    const { code, stdout, stderr } = await on.davit.run(['project', 'delete', name, '--yes', '--no-wait', '--json']);

    assert.equal(code, EXIT.ok.code, stderr);
    const { kind, subject } = JSON.parse(stdout) as Task;
    assert.deepEqual([kind, subject], ['project.delete', { kind: 'project', name }]);
    await on.daemon.settled();
  });

  test('changes nothing while another task works in the project', async () => {
    const name = await project(on.daemon);
    const gate = on.daemon.engine.controls.pause('ensureVolume');
    await on.daemon.client.createDatabase({ body: { project: name, name: 'late', engine: 'redis' } });
    await gate.reached;

    const { code, stderr } = await on.davit.run(['project', 'delete', name, '--yes']);

    gate.open();
    await on.daemon.settled();
    assert.equal(code, EXIT.conflict.code, stderr);
    assert.match(stderr, /Task \d+ \(database\.create\) of the database .* is in progress/);
    assert.equal((await on.daemon.client.getProject({ params: { project: name } })).slug, name);
  });
});
