import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { checkTemplate } from '../src/check.ts';
import { CODES } from '../src/codes.ts';
import type { Diagnostic } from '../src/diagnostic.ts';
import { changedFiles, rightFiles } from './support/arbitrary-files.ts';

const FILE = `version: 1
project: shop
inputs:
  - key: domain
    type: domain
    label: Where the shop answers
apps:
  - key: web
    image: ghcr.io/acme/shop
    tag: "1.4.0"
    health: /healthz
    domains:
      - host: \${input.domain}
    limits: {}
`;

describe('checking a file', () => {
  test('gives its manifest and nothing to say', () => {
    const { manifest, diagnostics } = checkTemplate(FILE);
    assert.deepEqual(diagnostics, []);
    assert.equal(manifest?.apps[0]?.internal_host, 'web.production.shop.internal');
  });

  test('keeps the manifest of a file of which something is advised, with the place', () => {
    const { manifest, diagnostics } = checkTemplate(FILE.replace('"1.4.0"', 'latest'));
    assert.ok(manifest);
    assert.deepEqual(
      diagnostics.map(({ code, line, column }) => [code, line, column]),
      [['advice.latest-tag', 10, 5]],
    );
  });

  test('refuses a file of which the meaning is wrong, and advises all the same', () => {
    const { manifest, diagnostics } = checkTemplate(FILE.replace('/healthz', 'healthz').replace('"1.4.0"', 'latest'));
    assert.equal(manifest, null);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['health.path', 'advice.latest-tag'],
    );
  });

  test('says nothing of meaning while the shape is wrong', () => {
    const { manifest, diagnostics } = checkTemplate(`${FILE}    port: 0\n    tcp: [{ port: 1, host: x }]\n`);
    assert.equal(manifest, null);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['schema.too_small'],
    );
  });

  test('says where something is that is missing: at what it is missing in', () => {
    const { diagnostics } = checkTemplate(FILE.replace('    image: ghcr.io/acme/shop\n    tag: "1.4.0"\n', ''));
    assert.deepEqual(
      diagnostics.map(({ code, line, column }) => [code, line, column]),
      [['source.missing', 8, 5]],
    );
  });
});

describe('whatever the file', () => {
  const check = (file: object) => checkTemplate(stringify(file, { aliasDuplicateObjects: false }));

  test('one in which all is right is accepted, and its manifest survives being written as JSON', () => {
    fc.assert(
      fc.property(rightFiles(), (file) => {
        const { manifest, diagnostics } = check(file);
        assert.deepEqual(diagnostics.filter(isError), []);
        assert.ok(manifest);
        assert.deepEqual(JSON.parse(JSON.stringify(manifest)), manifest);
      }),
      { seed: 11, numRuns: 100 },
    );
  });

  test('checking does not throw, refuses exactly what has an error, and gives codes that are known', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(changedFiles(), (file) => {
        const { manifest, diagnostics } = check(file);
        assert.equal(manifest === null, diagnostics.some(isError));
        for (const { code, severity } of diagnostics) {
          assert.ok(Object.hasOwn(CODES, code), code);
          assert.ok(CODES[code as keyof typeof CODES].severities.includes(severity), `${code} ${severity}`);
        }
        seen[manifest === null ? 'refused' : 'accepted'] += 1;
      }),
      { seed: 7, numRuns: 200 },
    );
    assert.ok(Math.min(seen.accepted, seen.refused) > 20, JSON.stringify(seen));
  });
});

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
