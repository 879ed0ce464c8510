import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DavitError } from '@davit/api';
import { parseJsonObject } from './json.ts';

const parse = (text: string) => parseJsonObject(Buffer.from(text));

function refuses(bytes: string | Uint8Array, message: RegExp): void {
  assert.throws(
    () => parseJsonObject(typeof bytes === 'string' ? Buffer.from(bytes) : bytes),
    (error: DavitError) => error instanceof DavitError && error.code === 'invalid_json' && message.test(error.message),
  );
}

describe('a JSON body', () => {
  it('is read as JSON.parse reads it', () => {
    const text = '{"a":[1,-2.5e3,true,null,{"a":"x,y:{\\"[}"}],"b":{"a":{}},"é\\u00e9":"\\ud83d\\ude00"}';
    assert.deepEqual(parse(text), JSON.parse(text));
  });

  it('may have the same key in different objects', () => {
    assert.deepEqual(parse('{"a":{"k":1},"b":[{"k":1},{"k":2}],"k":3}'), {
      a: { k: 1 },
      b: [{ k: 1 }, { k: 2 }],
      k: 3,
    });
  });

  it('may have a value that equals a key', () => {
    assert.deepEqual(parse('{"a":"a","b":["a","a"]}'), { a: 'a', b: ['a', 'a'] });
  });

  for (const text of [
    '',
    ' ',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":01}',
    '{"a":"\u0001"}',
    '{}{}',
    '// x\n{}',
  ]) {
    it(`is refused when it is not JSON: ${JSON.stringify(text)}`, () => refuses(text, /^The body is not valid JSON/));
  }

  it('must be an object', () => {
    refuses('[]', /not an array/);
    refuses('null', /not null/);
    refuses('"x"', /not a string/);
    refuses('1e999', /not a number/);
  });

  it('must be UTF-8', () => refuses(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /not valid UTF-8/));

  it('must not have a byte order mark', () => refuses('\ufeff{}', /byte order mark/));

  it('must not name a field twice, however it is written', () => {
    refuses('{"a":1,"a":1}', /“a” twice/);
    refuses('{"a":1,"\\u0061":1}', /“a” twice/);
    refuses('{"x":[{"b":[],"c":{},"b":0}]}', /“b” twice/);
  });

  it('must not be nested deeper than 32 levels', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    assert.ok(parse(nested(32)));
    refuses(nested(33), /deeper than 32/);
    refuses(nested(400_000), /deeper than 32/);
  });

  it('must not have more fields and items than anybody sends', () => {
    refuses(`{"a":[${'1,'.repeat(10_001)}1]}`, /^The body has more than 10000 fields and items. Send fewer at once\.$/);
    refuses(`{${'"a":{},'.repeat(10_001)}`, /more than 10000/);
    assert.equal((parse(`{"a":[${'","'.repeat(10_000).slice(2)}"]}`).a as string[]).length, 10_000);
  });

  it('must not contain NUL or half a surrogate pair', () => {
    refuses('{"a":"x\\u0000"}', /NUL/);
    refuses('{"a\\u0000":1}', /NUL/);
    refuses('{"a":"\\ud83d"}', /surrogate/);
    refuses('{"a":["\\ude00\\ud83d"]}', /surrogate/);
  });

  it('must not have a number that is too large to be one', () => {
    for (const number of ['1e999', '-1E+400', '1.8e308', '9'.repeat(400)])
      refuses(`{"a":[0,${number}]}`, /too large: “/);
    assert.deepEqual(parse('{"a":[-0.5e-3,1.7e308],"b":12}'), { a: [-0.0005, 1.7e308], b: 12 });
  });

  it('must not have a field that reaches into prototypes', () => {
    refuses('{"__proto__":{}}', /__proto__/);
    refuses('{"a":{"\\u005f_proto__":{}}}', /__proto__/);
    assert.deepEqual(Object.keys(parse('{"constructor":1,"toString":2}')), ['constructor', 'toString']);
  });

  it('is quoted back in part only, with control characters escaped', () => {
    refuses(
      `{"${'k'.repeat(500)}":1,"${'k'.repeat(500)}":1}`,
      /^The body has the field “k{99}…” twice\. Send it once\.$/,
    );
    refuses('{"a\\n\\u001b":1,"a\\n\\u001b":1}', /“a\\n\\u001b” twice/);
  });
});
