import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseQuery } from './query.ts';

describe('a query', () => {
  it('is decoded once', () => {
    assert.deepEqual(
      { ...parseQuery('a=1&b=x+y%2B&c&&d=&e=%2541&%66=1') },
      { a: '1', b: 'x y+', c: '', d: '', e: '%41', f: '1' },
    );
  });

  it('must not give a name twice, however it is written', () => {
    assert.throws(() => parseQuery('tag=a&tag=b'), {
      message: 'tag: The query contains this parameter twice. Send it once.',
    });
    assert.throws(() => parseQuery('tag=a&t%61g=b'), {
      message: 'tag: The query contains this parameter twice. Send it once.',
    });
  });

  it('must not have an escape that is none', () => {
    for (const text of ['a=%', 'a=%zz', '%=1', 'a=%ff'])
      assert.throws(() => parseQuery(text), { code: 'invalid_input' });
  });

  it('may have any name without reaching into prototypes', () => {
    const query = parseQuery('__proto__=1&constructor=2');
    assert.deepEqual(Object.entries(query), [
      ['__proto__', '1'],
      ['constructor', '2'],
    ]);
    assert.equal(({} as Record<string, unknown>)['1'], undefined);
  });
});
