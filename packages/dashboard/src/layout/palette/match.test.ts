import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fit } from './match.ts';

const APPS = ['shop/production/web', 'shop/production/worker', 'shop/staging/web', 'blog/production/site'];
const best = (typed: string, among: readonly string[] = APPS) =>
  among.toSorted((a, b) => (fit(typed, b) ?? 0) - (fit(typed, a) ?? 0))[0];

describe('palette matching', () => {
  it('finds a reference by the initial letters of its parts', () => {
    assert.equal(best('spw'), 'shop/production/web');
    assert.equal(best('ssw'), 'shop/staging/web');
    assert.equal(best('bps'), 'blog/production/site');
  });

  it('requires all typed letters in the same order', () => {
    assert.notEqual(fit('wrkr', 'shop/production/worker'), null);
    assert.equal(fit('rekrow', 'shop/production/worker'), null);
    assert.equal(fit('webb', 'shop/production/web'), null);
    assert.equal(fit('x', ''), null);
  });

  it('ranks adjacent letters above scattered letters', () => {
    assert.equal(best('stag', ['shop/tag/a-g', 'shop/staging/web']), 'shop/staging/web');
    assert.equal(best('web', ['w/e/x/b-long', 'web']), 'web');
  });

  it('requires all typed words in any order', () => {
    assert.equal(best('worker shop'), 'shop/production/worker');
    assert.equal(fit('shop none', 'shop/production/web'), null);
  });

  it('ignores upper and lower case', () => {
    assert.notEqual(fit('SHOP', 'shop'), null);
    assert.notEqual(fit('deploy', 'Deploy shop/production/web…'), null);
  });
});
