import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineRefused } from './engine.ts';
import { assertDavitId, assertHostName, assertOwnName, heldBy, heldTag } from './names.ts';

describe('names', () => {
  it("turn any reference into a tag that an engine takes, with the deployment as the tag's own", () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    const tags = ['shop', 'shop:v1', `acme/shop:v1@${digest}`, 'Registry.example.com:5000/Team/shop:v1'].map(
      (reference) => heldTag('abcd1234', reference, 7),
    );

    assert.deepEqual(tags, [
      'davit-abcd1234/shop:7',
      'davit-abcd1234/shop:7',
      'davit-abcd1234/acme/shop:7',
      'davit-abcd1234/registry.example.com-5000/team/shop:7',
    ]);
    assert.equal(heldBy(tags[3] ?? ''), 7);
  });

  it('carry an id of eight letters and digits', () => {
    for (const id of ['', 'short', 'ABCD1234', 'abcd-234', 'abcd12345'])
      assert.throws(() => assertDavitId(id), TypeError);
  });

  it('are refused without the id, too long or with other characters', () => {
    assertOwnName('abcd1234', 'davit-abcd1234-1-1');
    for (const name of ['davit-abcd1235-1-1', '/etc', 'davit-abcd1234-../x', `davit-abcd1234-${'1'.repeat(60)}`]) {
      assert.throws(() => assertOwnName('abcd1234', name), EngineRefused);
    }
  });

  it('for the inside are host names in lower case', () => {
    assertHostName('shop.production.acme.internal');
    assertHostName('cubeship-acme-production-shop');
    for (const name of ['', '.', 'a.', 'Shop', 'a_b', '-a', 'a\nb', 'a '.repeat(2), `${'a'.repeat(64)}.internal`]) {
      assert.throws(() => assertHostName(name), EngineRefused);
    }
  });
});
