/**
 * Compares the manifests of published templates with stored manifests. Also checks rules of manifests against the
 * files, which these tests read with another YAML parser.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { parse } from 'yaml';
import { type Checked, checkTemplate } from '../src/check.ts';
import type { Manifest, ManifestApp } from '../src/manifest.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/published');
const NAMES = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

/** YAML file as plain data. The code under test does not read it. */
type Plain = Record<string, Plain[] & string & number & undefined>;

function textOf(name: string, file = 'template.yaml'): string {
  return readFileSync(join(FOLDER, name, file), 'utf8');
}

function manifestOf({ manifest, diagnostics }: Checked): Manifest {
  assert.ok(manifest, JSON.stringify(diagnostics));
  return manifest;
}

describe('checkTemplate with published templates', () => {
  for (const name of NAMES) {
    test(`accepts ${name} and returns the expected manifest`, () => {
      const manifest = manifestOf(checkTemplate(textOf(name)));
      assert.deepEqual(JSON.parse(JSON.stringify(manifest)), JSON.parse(textOf(name, 'manifest.json')));
    });
  }
});

describe('the manifest of each published template', () => {
  const all = NAMES.map((name) => ({
    name,
    file: parse(textOf(name)) as Plain,
    manifest: manifestOf(checkTemplate(textOf(name))),
  }));
  const perApp = all.flatMap(({ name, file, manifest }) =>
    manifest.apps.map((app, index) => ({ name, app, manifest, written: (file.apps ?? [])[index] as unknown as Plain })),
  );

  test('contains the name, project, environment and minimum Cubeship version of the template', () => {
    for (const { name, file, manifest } of all) {
      assert.equal(manifest.name, file.name, name);
      assert.equal('name' in manifest, 'name' in file, name);
      assert.equal(manifest.project, file.project, name);
      assert.equal(manifest.environment, 'production', name);
      assert.equal(manifest.min_cubeship, file.minCubeship, name);
      assert.equal('min_version' in manifest || 'jobs' in manifest, false, name);
    }
  });

  test('contains the inputs of the template, required by default', () => {
    for (const { name, file, manifest } of all) {
      const written = (file.inputs ?? []).map((input) => ({ required: true, ...(input as unknown as Plain) }));
      assert.deepEqual(manifest.inputs, written, name);
    }
  });

  test('contains the databases with name, version and default port of the engine', () => {
    const ports: Record<string, number> = { postgres: 5432, mysql: 3306, mariadb: 3306, redis: 6379, mongodb: 27017 };
    for (const { name, file, manifest } of all) {
      for (const [index, database] of manifest.databases.entries()) {
        const written = (file.databases ?? [])[index] as unknown as Plain;
        assert.equal(database.port, ports[database.engine], name);
        assert.equal(database.name, written.name ?? written.key, name);
        assert.equal(database.version, written.version, name);
        assert.deepEqual(database.extensions, [], name);
      }
    }
  });

  const KEYS =
    'key name source port health domains attach env limits scale spread autoscale volumes tcp internal_host'.split(' ');

  test('contains exactly the expected keys for each app, and no undefined value', () => {
    for (const { name, app } of perApp) {
      assert.deepEqual(Object.keys(app), KEYS, name);
      assert.ok(!Object.values(app).includes(undefined), name);
    }
  });

  test('contains the image or the repository of each app', () => {
    for (const { name, app, written } of perApp) {
      const expected = written.image
        ? { type: 'image', image: written.image, tag: written.tag ?? null }
        : { type: written.build, repo: written.repo, ref: written.ref ?? null, dockerfile: written.dockerfile ?? null };
      assert.deepEqual(app.source, expected, name);
    }
  });

  test('contains the variables of each app unchanged and sorted by name', () => {
    for (const { name, app, written } of perApp) {
      const names = Object.keys((written.env as unknown as object) ?? {});
      assert.deepEqual(
        Object.keys(app.env),
        names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
        name,
      );
      assert.deepEqual({ ...app.env }, { ...((written.env as unknown as object) ?? {}) }, name);
    }
  });

  test('contains the memory limits of each app in bytes', () => {
    const units: Record<string, number> = { Gi: 1_073_741_824, Mi: 1_048_576 };
    for (const { name, app, written } of perApp) {
      const { memory = '' } = (written.limits ?? {}) as unknown as { memory?: string };
      const [, count, unit = ''] = /^(\d+)(Gi|Mi)$/.exec(memory) ?? [];
      assert.equal(app.limits?.memory_bytes, Number(count) * (units[unit] ?? Number.NaN), name);
    }
  });

  test('contains the port of the app, or 8080, for each domain', () => {
    for (const { name, app, written } of perApp) {
      for (const domain of app.domains) assert.equal(domain.port, written.port ?? 8080, name);
      assert.equal(app.domains.length, (written.domains ?? []).length, name);
    }
  });

  test('contains the internal host name of each app', () => {
    const hostOf = ({ project }: Manifest, app: ManifestApp) => `${app.name}.production.${project}.internal`;
    for (const { name, app, manifest } of perApp) assert.equal(app.internal_host, hostOf(manifest, app), name);
  });
});

test('checkTemplate gives the published templates the expected number of each advice', () => {
  const counts: Record<string, number> = {};
  for (const name of NAMES) {
    for (const { code } of checkTemplate(textOf(name)).diagnostics) counts[code] = (counts[code] ?? 0) + 1;
  }
  assert.deepEqual(counts, {
    'advice.dockerhub-user': 14,
    'advice.no-health': 3,
    'advice.dockerhub': 2,
    'advice.unreachable-app': 2,
  });
});
