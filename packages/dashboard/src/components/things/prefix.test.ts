import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AttachmentPrefix } from '@davit/api';
import { prefixProblem } from './prefix.ts';

it('the prefix of variables is judged as the contract judges it', () => {
  for (const prefix of ['', 'CACHE_', 'cache_', 'CACHE', '1_', 'A-B_', '_']) {
    assert.equal(prefixProblem(prefix) === null, AttachmentPrefix.safeParse(prefix).success, prefix);
  }
});
