/** The published templates: every template that uses only images can be installed, with all its settings. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Manifest } from '@davit/template';
import { InstallHarness } from '../support/install-harness.ts';
import { answersTo, isOfImages, PUBLISHED } from '../support/published-templates.ts';

describe('the published templates', () => {
  let harness: InstallHarness;
  before(async () => {
    harness = await InstallHarness.begin({});
  });
  after(() => harness[Symbol.asyncDispose]());

  it('include at least 20 templates and at least 15 with only images', () => {
    assert.ok(PUBLISHED.length >= 20, `${PUBLISHED.length} files`);
    assert.ok(PUBLISHED.filter(isOfImages).length >= 15);
  });

  for (const published of PUBLISHED.filter(isOfImages)) {
    const { name, file, manifest } = published;
    it(`${name} installs successfully and matches its manifest`, async () => {
      const inputs = answersTo(published);
      const { status, body, text } = await harness.post('/api/template-installs?wait=true', {
        source: { file },
        project: name,
        inputs,
      });
      assert.equal(status, 200, text);
      assert.equal(body.status, 'succeeded', JSON.stringify(body));
      await holdsWhatItSays(harness, name, manifest);
    });
  }

  for (const published of PUBLISHED.filter((one) => !isOfImages(one))) {
    it(`${published.name} is refused because the template is built from source`, async () => {
      const { status, text } = await harness.post('/api/template-installs', {
        source: { file: published.file },
        project: published.name,
      });
      assert.equal(status, 422, text);
      assert.match(text, /built from source/);
      assert.equal((await harness.get(`/api/projects/${published.name}`)).status, 404);
    });
  }
});

/** Compares an installation with the manifest, which was created without the code of installations. */
async function holdsWhatItSays(harness: InstallHarness, project: string, manifest: Manifest): Promise<void> {
  for (const app of manifest.apps) {
    const path = `/api/apps/${project}/production/${app.name}`;
    const { body } = await harness.get(path);
    assert.equal(body.status, 'running', path);
    assert.equal(app.source.type === 'image' && body.image, app.source.type === 'image' && app.source.image);
    assert.equal(body.health.path, app.health);
    assert.equal(body.limits.memory_bytes, app.limits?.memory_bytes ?? null);
    // The simulated server has two cores, so a higher limit is reduced to all cores.
    assert.equal(body.limits.cpu, app.limits?.cpu == null ? null : Math.min(app.limits.cpu, 2));
    assert.equal(body.domains.length, app.domains.length);
    assert.deepEqual(
      body.volumes.map((volume: { path: string }) => volume.path).sort(),
      app.volumes.map((one) => one.path).sort(),
    );
    assert.equal(body.tcp_ports.length, app.tcp.length);
    assert.equal(body.attachments.length, app.attach.length);
    const { body: env } = await harness.get(`${path}/env`);
    assert.deepEqual(Object.keys(env.vars).sort(), Object.keys(app.env).sort());
    for (const [key, value] of Object.entries(env.vars))
      assert.doesNotMatch(String(value), /\$\{(input|app|db|store)\./, key);
  }
  for (const database of manifest.databases) {
    const { body } = await harness.get(`/api/databases/${project}/production/${database.name}`);
    assert.equal(body.status, 'running', database.name);
    assert.equal(body.engine, database.engine);
    if (database.version !== null) assert.equal(body.version, database.version);
    assert.equal(body.limits.memory_bytes, database.limits?.memory_bytes ?? null);
  }
}
