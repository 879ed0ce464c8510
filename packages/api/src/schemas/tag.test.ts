import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isDigest } from '../image-reference.ts';
import { Tag, TagOrDigest } from './common.ts';

const tags = ['v1', '_a', 'A.b-c', 'a'.repeat(128)];
const digests = ['sha256', 'sha384', 'sha512'].map((name, index) => `${name}:${'a'.repeat(64 + 32 * index)}`);
const wrong = ['', '.a', '-a', 'a b', 'a'.repeat(129), 'sha256:abc', `sha256:${'A'.repeat(64)}`, `a@${digests[0]}`];

it('TagOrDigest accepts exactly the tags and the digests', () => {
  for (const text of [...tags, ...digests, ...wrong])
    assert.equal(TagOrDigest.safeParse(text).success, Tag.safeParse(text).success || isDigest(text), text);
  assert.ok([...tags, ...digests].every((text) => TagOrDigest.safeParse(text).success));
});
