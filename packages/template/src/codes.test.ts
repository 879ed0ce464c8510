import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkTemplateBytes } from './check-bytes.ts';
import { CODES, type CodeInfo } from './codes.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/codes');
const ALL = Object.entries(CODES as Record<string, CodeInfo>);
/**
 * Codes that a template can cause. Codes of releases are not included, because the tests of release files check them.
 */
const OF_FILES = ALL.filter(([, { layer }]) => layer !== 'release').map(([code]) => code);
const EXPECT = /^# expect: (?<code>\S+) at (?<path>\S+)(?: line (?<line>\d+))?(?: column (?<column>\d+))?$/m;

test('has a fixture for every code caused by a template', () => {
  const missing = OF_FILES.filter((code) => !existsSync(join(FOLDER, `${code}.yaml`)));
  assert.deepEqual(missing, [], `no fixtures/codes/<code>.yaml of: ${missing.join(', ')}`);
});

test('has no fixture without a matching code', () => {
  const names = readdirSync(FOLDER).map((name) => name.replace(/\.yaml$/, ''));
  assert.deepEqual(
    names.filter((name) => !OF_FILES.includes(name)),
    [],
  );
});

for (const code of OF_FILES.filter((name) => existsSync(join(FOLDER, `${name}.yaml`)))) {
  test(`reports ${code} at the position expected by the fixture`, () => {
    const bytes = readFileSync(join(FOLDER, `${code}.yaml`));
    const expected = EXPECT.exec(bytes.toString('utf8'))?.groups;
    assert.equal(expected?.code, code, 'its first line is “# expect: <code> at <path or -> line <n> column <m>”');
    const { diagnostics, manifest } = checkTemplateBytes(bytes);
    const reported = diagnostics.map((found) => positionOf(found, expected));
    const { path, line, column } = expected;
    assert.ok(reported.includes(`${code} ${path} ${line ?? '-'} ${column ?? '-'}`), `reported: ${reported.join('; ')}`);
    for (const found of diagnostics.filter((each) => each.code === code)) {
      assert.ok(
        CODES[code as keyof typeof CODES].severities.some((severity) => severity === found.severity),
        found.severity,
      );
    }
    const isRefused = diagnostics.some(({ severity }) => severity === 'error');
    assert.equal(manifest === null, isRefused, 'there is a manifest exactly without errors');
  });
}

/** Returns the expected parts of the position of a diagnostic. */
function positionOf(
  { code, path, line, column }: ReturnType<typeof checkTemplateBytes>['diagnostics'][number],
  expected: { line?: string; column?: string },
): string {
  const place = [expected.line === undefined ? '-' : line, expected.column === undefined ? '-' : column];
  return [code, path.join('.') || '-', ...place.map((value) => value ?? '-')].join(' ');
}

test('describes the cause and the fix of every code in sentences', () => {
  for (const [code, { means, fix, severities }] of ALL) {
    assert.match(code, /^[a-z]+\.[a-z]+([_-][a-z]+)*$/);
    assert.ok(severities.length > 0, code);
    for (const sentence of [means, fix]) assert.match(sentence, /^[A-Z`].*[.]$/, `${code}: ${sentence}`);
  }
});
