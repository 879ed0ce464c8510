/** Tests the endpoint that validates a template file without publishing it. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { TEMPLATE_BYTES, TEMPLATE_TYPES } from '@davit/api/catalog/limits.ts';
import type { CatalogDiagnostic, CatalogManifest, CatalogValidation } from '@davit/api/catalog.ts';
import { checkTemplate, type Diagnostic, type Manifest } from '@davit/template';
import { bootCatalog } from '@davit/testkit/catalog';
import { ThreadValidator } from '../src/http/validator.ts';

const catalog = await bootCatalog();
after(() => catalog[Symbol.asyncDispose]());

const GOOD = `version: 1
project: demo
apps:
  - key: web
    image: ghcr.io/acme/web
    tag: "1.0"
    port: 80
`;

const post = (body: string | Uint8Array, type: string | null = 'application/yaml', more: Record<string, string> = {}) =>
  catalog.send({
    method: 'POST',
    path: '/api/v1/validate',
    headers: { ...(type !== null && { 'content-type': type }), ...more },
    body,
  });

const check = async (body: string | Uint8Array): Promise<CatalogValidation> => {
  const { status, text } = await post(body);
  assert.equal(status, 200, text);
  return JSON.parse(text);
};

describe('POST /validate', () => {
  it('returns the manifest and diagnostics of a valid file', async () => {
    const { valid, problems, manifest } = await check(GOOD);
    const expected = checkTemplate(GOOD);
    assert.equal(valid, true);
    assert.deepEqual(manifest, JSON.parse(JSON.stringify(expected.manifest)));
    assert.deepEqual(problems, JSON.parse(JSON.stringify(expected.diagnostics)));
  });

  it('returns errors for any broken or empty text', async () => {
    const texts = [
      '',
      '\n',
      '#',
      '[',
      'a: [',
      '---\n---\n',
      'x',
      '\0',
      '{}',
      GOOD.replace('1.0', '1.0"'),
      '['.repeat(5_000),
      'é: 1',
    ];
    for (const text of texts) {
      const { valid, problems, manifest } = await check(text);
      assert.deepEqual([valid, manifest], [false, null], text.slice(0, 20));
      assert.ok(problems.some(({ severity }) => severity === 'error'));
    }
  });

  it('returns the diagnostic yaml.encoding for bytes that are not UTF-8', async () => {
    for (const bytes of [Buffer.from([0xff, 0xfe]), Buffer.concat([Buffer.from(GOOD), Buffer.from([0xc3])])])
      assert.deepEqual(
        (await check(bytes)).problems.map(({ code }) => code),
        ['yaml.encoding'],
      );
  });

  it('accepts a file of 256 KiB and refuses a larger file with 413', async () => {
    const comment = (length: number) => `${GOOD}#${'x'.repeat(length - GOOD.length - 1)}`;
    assert.equal((await check(comment(TEMPLATE_BYTES))).valid, true);
    for (const chunked of [false, true]) {
      const answer = await catalog.send({
        ...{ method: 'POST', path: '/api/v1/validate', headers: { 'content-type': 'text/yaml' }, chunked },
        body: comment(TEMPLATE_BYTES + 1),
      });
      assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [413, 'too_large']);
    }
  });

  it('accepts only the media types of templates in UTF-8', async () => {
    for (const type of [
      ...TEMPLATE_TYPES,
      'Application/YAML',
      'text/plain; charset=utf-8',
      'text/yaml;charset="UTF-8"',
      'text/yaml;',
    ])
      assert.equal((await post(GOOD, type)).status, 200, type);
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'yaml',
      '',
      'text/plain; charset=latin1',
      null,
    ]) {
      const answer = await post(GOOD, type);
      assert.deepEqual(
        [answer.status, JSON.parse(answer.text).error.code],
        [415, 'unsupported_media_type'],
        String(type),
      );
    }
    assert.equal((await post(GOOD, 'application/yaml', { 'content-encoding': 'gzip' })).status, 415);
  });

  it('sets no-store on the response', async () => {
    assert.equal((await post(GOOD)).headers.get('cache-control'), 'no-store');
  });

  it('checks 64 files at once and refuses more with a retry delay', async () => {
    for (const { status } of await Promise.all(Array.from({ length: 64 }, () => post(GOOD)))) assert.equal(status, 200);

    await using validator = new ThreadValidator();
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => validator.check(Buffer.from(GOOD))));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(refused.length, 100 - 64);
    for (const { reason } of refused) assert.deepEqual([reason.code, reason.retryAfterS], ['unavailable', 1]);
    assert.match(await validator.check(Buffer.from(GOOD)), /^\{"valid":true/);
  });
});

describe('a file that blocks or ends the validator thread', () => {
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, bytes }) => {
      const body = Buffer.from(bytes).toString();
      if (body === 'ends it') process.exit(1);
      while (body === 'takes for ever');
      parentPort.postMessage({ id, body });
    });`)}`,
  );

  it('is refused as unavailable while all waiting files are checked', async () => {
    await using validator = new ThreadValidator({ script, deadlineMs: 3_000 });
    const texts = ['one', 'takes for ever', 'two', 'ends it', 'ends it', 'three'];

    const outcomes = await Promise.allSettled(texts.map((text) => validator.check(Buffer.from(text))));

    const answered = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.code));
    const none = 'unavailable';
    assert.deepEqual(answered, ['one', none, 'two', none, none, 'three']);
    assert.equal(await validator.check(Buffer.from('four')), 'four');
  });

  it('is rejected together with waiting files if the validator stops', async () => {
    const validator = new ThreadValidator({ script });
    const waiting = Promise.allSettled(['takes for ever', 'one'].map((text) => validator.check(Buffer.from(text))));
    await validator[Symbol.asyncDispose]();
    for (const outcome of await waiting) assert.equal(outcome.status, 'rejected');
  });
});

it('the diagnostic and manifest types of the API match the template format', () => {
  // This test checks types only. It fails if this file does not compile.
  const same = <A, B>(..._: Same<A, B> extends true ? [] : [never]) => undefined;
  same<Plain<Diagnostic>, Plain<CatalogDiagnostic>>();
  same<Plain<Manifest>, Plain<CatalogManifest>>();
});

/** `true` if each of the two types can be assigned to the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Removes `readonly` and `undefined` from a type, because JSON has neither. */
type Plain<T> = T extends object ? { -readonly [K in keyof T]: Plain<Exclude<T[K], undefined>> } : T;
