/** Tests that the checksum of a dry run prevents the installation of a different template. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slug } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

const CONFLICT = 6;
const AGAIN = /Plan the installation again/;

describe('template plan checksum', () => {
  const on = withDavit();
  const write = (project: string, tag: string) =>
    on.davit.write(
      'template.yaml',
      `version: 1\nproject: ${project}\napps: [{key: web, image: acme/web, tag: ${tag}}]\n`,
    );
  const install = (...words: string[]) => on.davit.run(['template', 'install', './template.yaml', ...words]);

  it('prints the checksum with --dry-run and refuses to install a different template', async () => {
    const project = slug('sum');
    await write(project, 'v1');
    const [, sum = ''] = /\b([0-9a-f]{64})\b/.exec((await install('--dry-run')).stdout) ?? [];
    await write(project, 'v2');
    const refused = await install('--sha256', sum);
    assert.deepEqual([refused.code, AGAIN.test(refused.stderr)], [CONFLICT, true], refused.stderr);

    await write(project, 'v1');
    const done = await install('--sha256', sum);
    assert.equal(done.code, 0, done.stderr);
    const [made] = await on.daemon.client.listTemplateInstalls();
    assert.equal(made?.title, project);
  });

  it('prints the checksum and the changes for a dry run of an update', async () => {
    const project = slug('sum');
    await write(project, 'v1');
    assert.equal((await install()).code, 0);
    const [{ id } = { id: 0 }] = await on.daemon.client.listTemplateInstalls();
    const update = (...words: string[]) =>
      on.davit.run(['template', 'update', String(id), '--file', 'template.yaml', ...words]);
    await write(project, 'v2');
    const planned = await update('--dry-run');
    assert.equal(planned.code, 0, planned.stderr);
    assert.match(planned.stdout, /change .*web/);
    const params = { project, environment: 'production', app: 'web' };
    assert.equal((await on.daemon.client.getApp({ params })).tag, 'v1');
    const [, sum = ''] = /\b([0-9a-f]{64})\b/.exec(planned.stdout) ?? [];
    const done = await update('--sha256', sum);
    assert.equal(done.code, 0, done.stderr);
    assert.equal((await on.daemon.client.getApp({ params })).tag, 'v2');
  });

  it('refuses an update if the checksum does not match the template', async () => {
    const project = slug('sum');
    await write(project, 'v1');
    assert.equal((await install()).code, 0);
    const [{ id } = { id: 0 }] = await on.daemon.client.listTemplateInstalls();
    const words = ['template', 'update', String(id), '--file', 'template.yaml', '--sha256'];
    await write(project, 'v2');
    const refused = await on.davit.run([...words, 'a'.repeat(64)]);
    assert.deepEqual([refused.code, AGAIN.test(refused.stderr)], [CONFLICT, true], refused.stderr);
  });
});

describe('template update', () => {
  const on = withDavit();
  const write = (project: string, ...names: string[]) =>
    on.davit.write(
      'template.yaml',
      `version: 1\nproject: ${project}\napps:\n${names.map((name) => `  - {key: ${name}, image: acme/${name}, tag: v1}\n`).join('')}`,
    );
  const appsOf = async (project: string) =>
    (await on.daemon.client.listApps())
      .filter((one) => one.project === project)
      .map(({ name }) => name)
      .sort();

  it('removes an app only after its name was confirmed, and never all apps', async () => {
    const project = slug('removing');
    await write(project, 'web', 'worker', 'mail');
    assert.equal((await on.davit.run(['template', 'install', './template.yaml'])).code, 0);
    const [{ id } = { id: 0 }] = await on.daemon.client.listTemplateInstalls();
    const update = (...words: string[]) =>
      on.davit.run(['template', 'update', String(id), '--file', 'template.yaml', ...words]);

    await write(project, 'web');
    for (const words of [[], ['--yes'], ['--yes', '--remove', 'worker'], ['--remove', 'worker', '--remove', 'mail']]) {
      const refused = await update(...words);
      assert.equal(refused.code, 2, refused.stderr);
      assert.match(refused.stderr, /--yes .*--remove/);
    }
    assert.deepEqual(await appsOf(project), ['mail', 'web', 'worker']);
    const removed = await update('--yes', '--remove', 'worker', '--remove', 'mail');
    assert.equal(removed.code, 0, removed.stderr);
    assert.deepEqual(await appsOf(project), ['web']);

    await write(project, 'api');
    const all = await update('--yes', '--remove', 'web');
    assert.equal(all.code, CONFLICT, all.stderr);
    assert.deepEqual(await appsOf(project), ['web']);
    const kept = await update('--keep-removed');
    assert.equal(kept.code, 0, kept.stderr);
    assert.deepEqual(await appsOf(project), ['api', 'web']);
  });
});
