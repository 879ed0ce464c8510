import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { breakingChanges } from './compatibility.ts';
import { CATALOG_ERRORS } from './errors.ts';
import { catalogDocument } from './openapi.ts';

const baseline = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../api/catalog-v1.json'), 'utf8'));

// biome-ignore lint/suspicious/noExplicitAny: the tests change a document at any place
type Document = any;

/** Returns the breaking changes of a changed document. */
function after(change: (document: Document) => void): string[] {
  const later = structuredClone(baseline);
  change(later);
  return breakingChanges(baseline, later);
}

test('the generated catalog document has no breaking change against the committed document', () => {
  assert.deepEqual(breakingChanges(baseline, JSON.parse(JSON.stringify(catalogDocument('9.9.9')))), []);
});

test('the committed catalog document has no breaking change against any earlier commit', (t) => {
  const root = join(import.meta.dirname, '../../../..');
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const file = 'api/catalog-v1.json';
  const { status, stdout } = git('log', '--format=%H', '--', file);
  const commits = status === 0 ? stdout.split('\n').filter((commit) => commit !== '') : [];
  if (commits.length === 0) return t.skip('the history is not here');
  for (const commit of commits)
    assert.deepEqual(breakingChanges(JSON.parse(git('show', `${commit}:${file}`).stdout), baseline), [], commit);
});

test('breakingChanges allows added fields, parameters, codes, responses and paths, and changed texts', () => {
  const changes: ((document: Document) => void)[] = [
    (d) => {
      d.components.schemas.Template.properties.downloads = { type: 'integer' };
      d.components.schemas.Template.required.push('downloads');
    },
    (d) => d.paths['/templates'].get.parameters.push({ name: 'engine', in: 'query', required: false, schema: {} }),
    (d) => d.components.schemas.Failure.properties.error.properties.code.enum.push('too_many_requests'),
    (d) => {
      d.paths['/feed'] = { get: { responses: {} } };
      d.paths['/tags'].post = { responses: {} };
      d.paths['/tags'].get.responses['429'] = { description: 'Slower.' };
      d.paths['/tags'].get.parameters = [{ name: 'limit', in: 'query', schema: {} }];
      d.components.schemas.Feed = { type: 'object' };
    },
    (d) => {
      d.info.version = '2.0.0';
      d.paths['/tags'].get.summary = 'Other words';
      d.paths['/tags'].get.tags = ['Other'];
    },
  ];
  for (const change of changes) assert.deepEqual(after(change), [], String(change));
});

test('breakingChanges reports each removed, changed or narrowed part of the document', () => {
  const changes: ((document: Document) => void)[] = [
    (d) => delete d.paths['/tags'],
    (d) => delete d.paths['/templates'].get.responses['400'],
    (d) => d.paths['/templates'].get.parameters.pop(),
    (d) => delete d.components.schemas.Template.properties.title,
    (d) => delete d.components.schemas.Diagnostic.properties.hint,
    (d) => d.components.schemas.Failure.properties.error.properties.code.enum.pop(),
    (d) => d.components.schemas.Template.required.pop(),
    (d) => {
      d.components.schemas.Template.properties.stars.type = 'string';
    },
    (d) => {
      d.components.schemas.Template.properties.title.maxLength = 10;
    },
    (d) => {
      d.paths['/templates'].get.parameters[3].schema.maximum = 24;
    },
    (d) => {
      d.paths['/templates'].get.parameters[3].schema.default = 12;
    },
    (d) => {
      d.paths['/tags'].get.parameters = [{ name: 'x', in: 'query', required: true }];
    },
    (d) => d.paths['/templates'].get.parameters.push({ name: 'x', in: 'query', required: true }),
    (d) => {
      d.servers[0].url = '/api/v2';
    },
    (d) => {
      d.paths['/tags'].get.operationId = 'tags';
    },
  ];
  for (const change of changes) assert.equal(after(change).length, 1, String(change));
});

test('breakingChanges reports a removed field that is named description', () => {
  const found = after((d) => delete d.components.schemas.Template.properties.description);
  assert.deepEqual(found, ['components › schemas › Template › properties › description is removed']);
});

test('every catalog error code keeps its HTTP status', () => {
  assert.deepEqual(Object.fromEntries(Object.entries(CATALOG_ERRORS).map(([code, { status }]) => [code, status])), {
    invalid_query: 400,
    bad_request: 400,
    not_found: 404,
    method_not_allowed: 405,
    request_timeout: 408,
    too_large: 413,
    unsupported_media_type: 415,
    expectation_failed: 417,
    headers_too_large: 431,
    internal: 500,
    unavailable: 503,
  });
});

test('breakingChanges allows an empty list of keys, and reports a required key', () => {
  const { security: _, ...before } = baseline;

  assert.deepEqual(breakingChanges(before, { ...before, security: [] }), []);
  assert.equal(breakingChanges(before, { ...before, security: [{ key: [] }] }).length, 1);
  assert.equal(breakingChanges({ ...before, security: [] }, { ...before, security: [{ key: [] }] }).length, 1);
});
