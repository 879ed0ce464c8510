/** What a dry run showed is what is installed, or nothing is. */
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
