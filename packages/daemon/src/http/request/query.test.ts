import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseQuery } from './query.ts';

describe('parseQuery', () => {
  it('decodes names and values exactly once', () => {
    assert.deepEqual(
      { ...parseQuery('a=1&b=x+y%2B&c&&d=&e=%2541&%66=1') },
      { a: '1', b: 'x y+', c: '', d: '', e: '%41', f: '1' },
    );
  });

  it('refuses a repeated parameter, even with different encoding', () => {
    assert.throws(() => parseQuery('tag=a&tag=b'), {
      message: 'tag: The query contains this parameter twice. Send it once.',
    });
    assert.throws(() => parseQuery('tag=a&t%61g=b'), {
      message: 'tag: The query contains this parameter twice. Send it once.',
    });
  });

  it('refuses invalid percent-encoding in names and values', () => {
    for (const text of ['a=%', 'a=%zz', '%=1', 'a=%ff'])
      assert.throws(() => parseQuery(text), { code: 'invalid_input' });
  });

  it('accepts any name without changing prototypes', () => {
    const query = parseQuery('__proto__=1&constructor=2');
    assert.deepEqual(Object.entries(query), [
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    assert.equal(({} as Record<string, unknown>)['1'], undefined);
  });
});
