import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AttachmentPrefix } from '@davit/api';
import { prefixProblem } from './prefix.ts';

it('validates the variable prefix like the API schema', () => {
  for (const prefix of ['', 'CACHE_', 'cache_', 'CACHE', '1_', 'A-B_', '_']) {
    assert.equal(prefixProblem(prefix) === null, AttachmentPrefix.safeParse(prefix).success, prefix);
  }
});
