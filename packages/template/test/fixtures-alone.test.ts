import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { checkTemplate } from '../src/check.ts';
import { CODES, type CodeInfo } from '../src/codes.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/codes');
/** Codes that always occur together with another code, by code. */
const TOGETHER: Record<string, string> = {
  'extension.version': 'engine.version',
  'advice.reached-by-tcp': 'advice.unreachable-app',
};

for (const [code, { layer }] of Object.entries(CODES as Record<string, CodeInfo>)) {
  if (layer !== 'meaning' && layer !== 'advice') continue;
  test(`checkTemplate reports ${code} exactly once, and no unrelated code, for its fixture`, () => {
    const { diagnostics } = checkTemplate(readFileSync(join(FOLDER, `${code}.yaml`), 'utf8'));
    const reported = diagnostics.map((found) => found.code).filter((found) => found !== TOGETHER[code]);
    assert.deepEqual(reported, [code]);
  });
}
