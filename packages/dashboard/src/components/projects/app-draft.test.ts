import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appBody, draftProblems, emptyDraft, splitImage } from './app-draft.ts';

const draft = { ...emptyDraft('shop/staging'), name: 'web', image: 'ghcr.io/acme/web' };

test('sends only completed fields of the app draft', () => {
  const common = { project: 'shop', environment: 'staging', name: 'web' };
  assert.deepEqual(appBody(draft), { ...common, source: 'image', image: 'ghcr.io/acme/web' });
  assert.deepEqual(appBody({ ...draft, port: '8080' }), {
    ...common,
    source: 'image',
    image: 'ghcr.io/acme/web',
    port: 8_080,
  });
  assert.deepEqual(appBody({ ...draft, source: 'registry', port: '80', isWorker: true }), {
    ...common,
    source: 'registry',
    port: null,
  });
});

test('reports missing or invalid fields of the app draft', () => {
  assert.deepEqual(draftProblems(draft), {});
  assert.deepEqual(Object.keys(draftProblems(emptyDraft(''))), ['place', 'name', 'image']);
  assert.deepEqual(draftProblems({ ...draft, source: 'registry', image: '' }), {});
  assert.deepEqual(Object.keys(draftProblems({ ...draft, port: '0' })), ['port']);
  assert.deepEqual(draftProblems({ ...draft, port: '0', isWorker: true }), {});
});

test('splits image and tag without mistaking a registry port for a tag', () => {
  assert.deepEqual(splitImage('nginx:1.27'), { image: 'nginx', tag: '1.27' });
  assert.deepEqual(splitImage('localhost:5000/a/b:v1'), { image: 'localhost:5000/a/b', tag: 'v1' });
  assert.deepEqual(splitImage('localhost:5000/a/b'), { image: 'localhost:5000/a/b', tag: null });
  assert.deepEqual(splitImage('nginx'), { image: 'nginx', tag: null });
});
