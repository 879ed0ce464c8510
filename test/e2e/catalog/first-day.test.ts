/**
 * First use of a new catalog with the commands that its pages name. `npm run catalog` serves the example templates.
 * `davit template check` reports the same line and message as the catalog for a wrong file.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checkTemplate } from '@davit/template';
import { freePort } from '@davit/testkit/ports';
import { DavitFolder, Running } from '../../support/davit-command.ts';

const ROOT = join(import.meta.dirname, '../../..');
const START_MS = 300_000;

interface Item {
  owner: string;
  name: string;
  icon_url: string;
  release: { tag: string; commit: string };
}

describe('a new catalog with the example templates', () => {
  let dataDir: string;
  let started: Running;
  let url: string;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'davit-catalog-day-'));
    const flags = ['--data-dir', dataDir, '--listen', `127.0.0.1:${await freePort()}`];
    started = new Running(spawn('npm', ['run', 'catalog', '--', ...flags], { cwd: ROOT }));
    await started.shows(/Ctrl-C stops it/, START_MS);
    [, url = ''] = /API +(\S+)\/templates/.exec(started.stdout) ?? [];
    await untilIndexed(url);
  });
  after(async () => {
    started?.child.kill('SIGTERM');
    await started?.ended;
    await rm(dataDir, { recursive: true, force: true });
  });

  const json = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${url}${path}`);
    assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
    return (await response.json()) as T;
  };

  test('serves every example template through all API routes after npm run catalog', async () => {
    const { templates } = await json<{ templates: Item[] }>('/templates?limit=48');
    assert.ok(templates.length >= 8, `${templates.length} templates`);
    for (const { owner, name, icon_url, release } of templates) {
      const own = `/templates/${owner}/${name}`;
      const detail = await json<{ source: string; manifest: object }>(own);
      assert.deepEqual(detail.manifest, await json(`${own}/manifest`), own);
      assert.deepEqual(detail.manifest, await json(`${own}/manifest?release=${release.tag}`), own);
      assert.deepEqual(detail.manifest, checkTemplate(detail.source).manifest, own);
      const { releases } = await json<{ releases: { commit: string; status: string }[] }>(`${own}/releases`);
      assert.equal(releases.find(({ commit }) => commit === release.commit)?.status, 'accepted', own);
      const icon = await fetch(icon_url);
      assert.equal(icon.headers.get('content-type'), 'image/png', icon_url);
    }
    const { tags } = await json<{ tags: string[] }>('/tags');
    const [tag = ''] = tags;
    const tagged = await json<{ templates: Item[] }>(`/templates?tag=${tag}`);
    assert.ok(tagged.templates.length > 0, tag);
  });

  test('reports errors of rejected releases and lists a different release instead', async () => {
    const { templates } = await json<{ templates: Item[] }>('/templates?limit=48');
    const refused: string[] = [];
    for (const { owner, name, release } of templates) {
      const { releases } = await json<{
        releases: { tag: string; status: string; problems: { severity: string; line?: number }[] }[];
      }>(`/templates/${owner}/${name}/releases`);
      for (const one of releases.filter(({ status }) => status === 'rejected')) {
        assert.notEqual(one.tag, release.tag);
        assert.ok(one.problems.some(({ severity, line }) => severity === 'error' && line !== undefined));
        refused.push(one.tag);
      }
    }
    assert.ok(refused.length > 0, 'the examples have a refused release');
  });

  test('reports the same line for a mistake as davit template check', async () => {
    await using folder = await DavitFolder.make({ url: '', key: '' });
    const broken = 'version: 1\nproject: notes\napps:\n  - key: web\n    image: nginx:1.27\n    prot: 80\n';
    await folder.write('template.yaml', broken);
    const { code, stdout, stderr } = await folder.run(['template', 'check', 'template.yaml']);
    assert.equal(code, 1, stderr);
    assert.match(stdout, /template\.yaml:6:5/);
    assert.match(stdout, /Did you mean .port/);

    const answer = await fetch(`${url}/validate`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/yaml' },
      body: broken,
    });
    const { valid, problems } = (await answer.json()) as { valid: boolean; problems: { code: string; line: number }[] };
    assert.equal(valid, false);
    assert.deepEqual(
      problems.map(({ code, line }) => [code, line]),
      [['schema.unknown-key', 6]],
    );
  });

  test('accepts a template that is imported from a Compose file', async () => {
    await using folder = await DavitFolder.make({ url: '', key: '' });
    await folder.write(
      'docker-compose.yml',
      'services:\n  web:\n    image: ghcr.io/acme/web:1.2\n    ports: ["8080:8080"]\n    depends_on: [db]\n  db:\n    image: postgres:16\n',
    );
    const imported = await folder.run(['template', 'import', 'docker-compose.yml', '-o', 'template.yaml']);
    assert.equal(imported.code, 0, imported.stderr);
    const checked = await folder.run(['template', 'check', 'template.yaml']);
    assert.equal(checked.code, 0, checked.stdout + checked.stderr);
    assert.match(await readFile(join(folder.path, 'template.yaml'), 'utf8'), /engine: postgres/);
  });
});

/**
 * Waits for the index, which exists after the first indexer pass. Until then the API returns 503 with `Retry-After`.
 */
async function untilIndexed(url: string): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const { status, headers } = await fetch(`${url}/templates`);
    if (status === 200) return;
    assert.equal(status, 503);
    assert.ok(Number(headers.get('retry-after')) > 0);
    assert.ok(Date.now() < deadline, 'the first pass has not ended');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
