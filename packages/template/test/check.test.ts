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

describe('checkTemplate', () => {
  test('returns the manifest and no diagnostics for a valid template', () => {
    const { manifest, diagnostics } = checkTemplate(FILE);
    assert.deepEqual(diagnostics, []);
    assert.equal(manifest?.apps[0]?.internal_host, 'web.production.shop.internal');
  });

  test('returns the manifest and the position of the advice for a template with advice', () => {
    const { manifest, diagnostics } = checkTemplate(FILE.replace('"1.4.0"', 'latest'));
    assert.ok(manifest);
    assert.deepEqual(
      diagnostics.map(({ code, line, column }) => [code, line, column]),
      [['advice.latest-tag', 10, 5]],
    );
  });

  test('refuses a template with a semantic error and still reports advice', () => {
    const { manifest, diagnostics } = checkTemplate(FILE.replace('/healthz', 'healthz').replace('"1.4.0"', 'latest'));
    assert.equal(manifest, null);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['health.path', 'advice.latest-tag'],
    );
  });

  test('reports only schema errors while the template violates the schema', () => {
    const { manifest, diagnostics } = checkTemplate(`${FILE}    port: 0\n    tcp: [{ port: 1, host: x }]\n`);
    assert.equal(manifest, null);
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['schema.too_small'],
    );
  });

  test('reports a missing source at the position of the app', () => {
    const { diagnostics } = checkTemplate(FILE.replace('    image: ghcr.io/acme/shop\n    tag: "1.4.0"\n', ''));
    assert.deepEqual(
      diagnostics.map(({ code, line, column }) => [code, line, column]),
      [['source.missing', 8, 5]],
    );
  });
});

describe('checkTemplate with generated templates', () => {
  const check = (file: object) => checkTemplate(stringify(file, { aliasDuplicateObjects: false }));

  test('accepts every valid template with a manifest that survives JSON serialization', () => {
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

  test('never throws, refuses exactly the templates with errors, and reports only known codes', () => {
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
