/** Import of Compose files as templates, with a whole daemon. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { TemplateImport } from '@davit/api';
import { bootDaemon, type TestDaemon } from '@davit/testkit';

const COMPOSE = `name: shop
services:
  web:
    image: ghcr.io/acme/web:1.2
    ports: ["8080:8080"]
    privileged: true
    environment:
      DATABASE_URL: postgres://shop:s3cret@db:5432/shop
  db:
    image: postgres:17
`;

let daemon: TestDaemon;
before(async () => {
  daemon = await bootDaemon();
});
after(() => daemon[Symbol.asyncDispose]());

it('a Compose import returns a valid template and notes about its keys', async () => {
  const { status, text } = await daemon.call('POST', '/api/template-imports', { compose: COMPOSE, project: 'till' });
  assert.equal(status, 200, text);
  const { template, valid, notes } = JSON.parse(text) as TemplateImport;
  assert.ok(valid);
  assert.match(template, /^project: till$/m);
  assert.match(template, /engine: postgres/);
  const kinds = (service: string) => new Set(notes.filter((note) => note.service === service).map(({ kind }) => kind));
  assert.ok(kinds('web').has('carried'));
  assert.ok(notes.some(({ service, key, kind }) => service === 'web' && key === 'privileged' && kind === 'left-out'));
});

it('a Compose import uses the files of the request, but at most 128 KiB', async () => {
  const compose = 'services: { web: { image: a, env_file: web.env } }';
  const answer = await daemon.call('POST', '/api/template-imports', { compose, files: { 'web.env': 'COLOUR=green' } });
  assert.equal(answer.status, 200, answer.text);
  assert.match((JSON.parse(answer.text) as TemplateImport).template, /COLOUR: green/);

  const large = { 'web.env': 'x'.repeat(128 * 1024 + 1) };
  const refused = await daemon.call('POST', '/api/template-imports', { compose, files: large });
  assert.equal(refused.status, 400, refused.text);
});

for (const [what, build] of [
  ['a folder', '.'],
  ['a Git repository', 'https://github.com/acme/shop.git'],
] as const)
  it(`a Compose import of a service that is built from ${what} asks for an image`, async () => {
    const importOf = async (service: object) => {
      const body = { compose: JSON.stringify({ services: { a: service } }) };
      const { status, text } = await daemon.call('POST', '/api/template-imports', body);
      assert.equal(status, 200, text);
      return JSON.parse(text) as TemplateImport;
    };

    const { valid, problems, notes } = await importOf({ build });

    assert.equal(valid, false);
    const errors = problems.filter(({ severity }) => severity === 'error');
    assert.match(errors.map(({ message }) => message).join('\n'), /^The service “a” has no `image`.* add `image`/);
    const [note] = notes.filter(({ key }) => key === 'build');
    assert.equal(note?.kind, 'left-out');
    assert.doesNotMatch(note?.message ?? '', /example\.com/, 'the file does not contain this address');
    assert.equal((await importOf({ build, image: 'acme/a:v1' })).valid, true);
  });

it('a Compose import refuses an invalid file with an explanation', async () => {
  const { status, text } = await daemon.call('POST', '/api/template-imports', { compose: '- nothing\n' });
  assert.equal(status, 422);
  assert.match(text, /^The file is not a Compose file: /);
});
