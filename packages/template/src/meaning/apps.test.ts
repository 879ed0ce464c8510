import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { DOMAIN, draftWith, meaningOf, problemsOf } from '../../test/support/drafts.ts';
import type { Draft, DraftApp } from '../draft.ts';

const BUILD: Partial<DraftApp> = { repo: 'https://github.com/acme/shop', build: 'railpack' };
const IMAGE = { image: 'ghcr.io/acme/shop', tag: '1.4.0' };
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const minVersion = '0.1.0';

/** Returns the problems of an app with this source. The image of the test app is removed. */
function saidOf(source: Partial<DraftApp>, parts: Partial<Draft> = {}): string[] {
  const draft = draftWith({}, parts);
  const { image: _, tag: __, ...app } = { ...draft.apps[0], key: 'web' };
  return meaningOf({ ...draft, apps: [{ ...app, ...source }] });
}

describe('reported problems of a source', () => {
  const cases: [what: string, source: Partial<DraftApp>, said: string[], parts?: Partial<Draft>][] = [
    ['none for an image', IMAGE, []],
    ['none for a build', BUILD, []],
    ['a missing source', {}, ['source.missing apps.0.image']],
    ['a build without a repository', { build: 'dockerfile' }, ['source.missing apps.0.repo']],
    ['a repository without a build', { repo: 'https://a/b' }, ['build.missing apps.0.build']],
    ['an image with a build', { image: 'a', ...BUILD }, ['source.conflict apps.0.image']],
    [
      'all problems of an image and of a build if both exist',
      { image: 'a:1', tag: '1', repo: 'a/b#main', dockerfile: 'x' },
      [
        ...['source.conflict apps.0.image', 'image.tagged apps.0.image', 'build.missing apps.0.build'],
        ...['repo.scheme apps.0.repo', 'repo.ref apps.0.repo', 'source.conflict apps.0.tag'],
        'dockerfile.misplaced apps.0.dockerfile',
      ],
    ],
    ['a tag with a build', { ...BUILD, tag: '1' }, ['source.conflict apps.0.tag']],
    ['none for a ref or a Dockerfile with an image', { ...IMAGE, ref: 'main', dockerfile: 'x' }, []],
    ['a Dockerfile that is not used', { ...BUILD, dockerfile: 'x' }, ['dockerfile.misplaced apps.0.dockerfile']],
    ['none for a Dockerfile that is used', { ...BUILD, build: 'dockerfile', dockerfile: 'x' }, []],
    ['none for a git:// URL', { ...BUILD, repo: 'git://a/b' }, []],
    ['an SSH address', { ...BUILD, repo: 'git@github.com:acme/shop' }, ['repo.scheme apps.0.repo']],
    ['a file URL', { ...BUILD, repo: 'file:///etc' }, ['repo.scheme apps.0.repo']],
    ['a branch in the fragment of the URL', { ...BUILD, repo: 'https://a/b#main' }, ['repo.ref apps.0.repo']],
    [
      'a missing scheme and a branch in the fragment',
      { ...BUILD, repo: 'a/b#main' },
      ['repo.scheme apps.0.repo', 'repo.ref apps.0.repo'],
    ],
    ['none for a branch with a folder', { ...BUILD, ref: 'main:shop' }, []],
    ['a tag in the image', { image: 'nginx:1' }, ['image.tagged apps.0.image']],
    ['a tag in the image, also with minVersion', { image: 'nginx:1' }, ['image.tagged apps.0.image'], { minVersion }],
    ['a registry with a port', { image: 'a.b:5000/c' }, ['image.tagged apps.0.image']],
    ['none for a registry with a port and minVersion', { image: 'a.b:5000/c' }, [], { minVersion }],
    ['a digest', { image: `a@${DIGEST}` }, ['image.tagged apps.0.image']],
    ['none for a digest and minVersion', { image: `a@${DIGEST}` }, [], { minVersion }],
    [
      'a digest with a minVersion that allows older versions',
      { image: `a@${DIGEST}` },
      ['addition.min-version apps.0.image'],
      { minVersion: '*' },
    ],
    ['an incomplete digest', { image: 'a@sha256:12' }, ['image.tagged apps.0.image'], { minVersion }],
  ];
  for (const [what, source, said, parts] of cases) {
    test(what, () => assert.deepEqual(saidOf(source, parts), said));
  }
});

describe('reported problems of the health path', () => {
  const good = ['/', '/healthz', "/a/b-c._~%!$&'()*+,;=:@", `/${'a'.repeat(254)}`];
  for (const health of good)
    test(`reports no problem for the path ${health.slice(0, 30)}`, () =>
      assert.deepEqual(meaningOf(draftWith({ health })), []));

  const bad = ['healthz', '/a?b', '/a#b', '/a b', '/ä', `/${'a'.repeat(255)}`, '/{x}', '/a\n'];
  for (const health of bad) {
    test(`reports an invalid path: ${JSON.stringify(health).slice(0, 30)}`, () =>
      assert.deepEqual(meaningOf(draftWith({ health })), ['health.path apps.0.health']));
  }
});

describe('reported problems of a domain host', () => {
  const at = 'apps.0.domains.0.host';
  const cases: [host: string, said: string[]][] = [
    ['${input.domain}', []],
    [' ${input.domain} ', []],
    ['shop.example.com', [`domain.literal ${at}`]],
    ['www.${input.domain}', [`domain.literal ${at}`]],
    ['${input.domain}${input.domain}', [`domain.literal ${at}`]],
    ['${app.web.host}', [`domain.literal ${at}`]],
    ['${app.nope.host}', [`domain.literal ${at}`]],
    ['https://${input.nope}', [`domain.literal ${at}`]],
    ['${input.nope}', [`reference.unknown ${at}`]],
    ['${input.domain.host}', [`reference.attribute ${at}`]],
    ['${input.title}', [`domain.literal ${at}`]],
  ];
  for (const [host, said] of cases) {
    test(host, () => {
      const inputs = [DOMAIN, { key: 'title', type: 'text' as const, label: 'x' }];
      assert.deepEqual(meaningOf(draftWith({ domains: [{ host }] }, { inputs })), said);
    });
  }
});

describe('reported problems of variables', () => {
  const cases: [value: string, said: string[]][] = [
    ['${input.domain} ${app.web.internal} ${app.web.host} ${app.web.port}', []],
    ['${db.db.host}${db.db.port}${db.db.user}${db.db.password}${db.db.name}', []],
    ['${store.files.bucket} ${store.files.endpoint} ${store.archive.endpoint}', []],
    ['${input.nope}', ['reference.unknown']],
    ['${app.db.host}', ['reference.unknown']],
    ['${db.web.host}', ['reference.unknown']],
    ['${store.domain.bucket}', ['reference.unknown']],
    ['${input.domain.x}', ['reference.attribute']],
    ['${app.web}', ['reference.attribute']],
    ['${app.web.name}', ['reference.attribute']],
    ['${db.db}', ['reference.attribute']],
    ['${db.db.internal}', ['reference.attribute']],
    ['${store.files.host}', ['reference.attribute']],
    ['${db.a.host} ${db.b.host}', ['reference.unknown', 'reference.unknown']],
    ['${HOME} ${inputs.x} $${db} ${db.x.Y}', []],
  ];
  for (const [value, said] of cases) {
    test(value, () => {
      const parts: Partial<Draft> = {
        inputs: [DOMAIN, { key: 'archive', type: 'store', label: 'x' }],
        databases: [{ key: 'db', engine: 'postgres' }],
        stores: [{ key: 'files' }],
      };
      assert.deepEqual(
        meaningOf(draftWith({ env: { A: value } }, parts)),
        said.map((code) => `${code} apps.0.env.A`),
      );
    });
  }

  test('reports variables in byte order of their names, upper case first', () => {
    const env = { b: '${input.x}', _A: '${input.x}', Z: '${input.x}', A1: '${input.x}', A_: '${input.x}' };
    assert.deepEqual(
      meaningOf(draftWith({ env })),
      ['A1', 'A_', 'Z', '_A', 'b'].map((name) => `reference.unknown apps.0.env.${name}`),
    );
  });
});

describe('reported problems of limits', () => {
  const cases: [limits: DraftApp['limits'], said: string[]][] = [
    [{}, []],
    [{ cpu: 0.01, memory: '6Mi' }, []],
    [{ memory: '6291456' }, []],
    [{ memory: '6291455' }, ['limits.memory apps.0.limits.memory']],
    [{ cpu: 0.009 }, ['limits.cpu apps.0.limits.cpu']],
    [{ cpu: -1, memory: '-1Gi' }, ['limits.cpu apps.0.limits.cpu', 'limits.memory apps.0.limits.memory']],
    [{ memory: '1 Gi' }, []],
    [{ memory: '' }, ['limits.memory apps.0.limits.memory']],
  ];
  for (const [limits = {}, said] of cases) {
    test(JSON.stringify(limits), () => assert.deepEqual(meaningOf(draftWith({ limits })), said));
  }
});

describe('reported problems of autoscale', () => {
  const at = 'autoscale.range apps.0.autoscale';
  const cases: [autoscale: NonNullable<DraftApp['autoscale']>, said: string[]][] = [
    [{ max: 1, cpu: 1 }, []],
    [{ min: 1, max: 100, cpu: 0.5 }, []],
    [{ max: 0, cpu: 80 }, [`${at}.max`, `${at}.min`]],
    [{ max: 101, cpu: 80 }, [`${at}.max`]],
    [{ min: 0, max: 2, cpu: 80 }, [`${at}.min`]],
    [{ min: 3, max: 2, cpu: 80 }, [`${at}.min`]],
    [{ min: 0, max: 200, cpu: 0 }, [`${at}.max`, `${at}.min`, `${at}.cpu`]],
  ];
  for (const [autoscale, said] of cases) {
    test(JSON.stringify(autoscale), () => assert.deepEqual(meaningOf(draftWith({ autoscale })), said));
  }
});

test('suggests the intended key for a mistyped reference', () => {
  const hintOf = (value: string) => problemsOf(draftWith({ env: { A: value } }))[0]?.hint;
  assert.equal(hintOf('${input.domian}'), 'Did you mean `domain`?');
  assert.equal(hintOf('${app.wbe.host}'), 'Did you mean `web`?');
  assert.equal(hintOf('${db.anything.host}'), undefined);
});
