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

describe('parseJsonObject', () => {
  it('parses a valid body like JSON.parse', () => {
    const text = '{"a":[1,-2.5e3,true,null,{"a":"x,y:{\\"[}"}],"b":{"a":{}},"é\\u00e9":"\\ud83d\\ude00"}';
    assert.deepEqual(parse(text), JSON.parse(text));
  });

  it('accepts the same key in different objects', () => {
    assert.deepEqual(parse('{"a":{"k":1},"b":[{"k":1},{"k":2}],"k":3}'), {
      a: { k: 1 },
      b: [{ k: 1 }, { k: 2 }],
      k: 3,
    });
  });

  it('accepts a value equal to a key', () => {
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
    it(`refuses a body with invalid JSON: ${JSON.stringify(text)}`, () => refuses(text, /^The body is not valid JSON/));
  }

  it('refuses values other than an object', () => {
    refuses('[]', /not an array/);
    refuses('null', /not null/);
    refuses('"x"', /not a string/);
    refuses('1e999', /not a number/);
  });

  it('refuses a body with invalid UTF-8', () =>
    refuses(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /not valid UTF-8/));

  it('refuses a body with a byte order mark', () => refuses('\ufeff{}', /byte order mark/));

  it('refuses a duplicate field, also with a different escape', () => {
    refuses('{"a":1,"a":1}', /“a” twice/);
    refuses('{"a":1,"\\u0061":1}', /“a” twice/);
    refuses('{"x":[{"b":[],"c":{},"b":0}]}', /“b” twice/);
  });

  it('refuses nesting deeper than 32 levels', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    assert.ok(parse(nested(32)));
    refuses(nested(33), /deeper than 32/);
    refuses(nested(400_000), /deeper than 32/);
  });

  it('refuses more than 3200 fields and items', () => {
    refuses(`{"a":[${'1,'.repeat(3_201)}1]}`, /^The body has more than 3200 fields and items. Send fewer at once\.$/);
    refuses(`{${'"a":{},'.repeat(3_201)}`, /more than 3200/);
    assert.equal((parse(`{"a":[${'","'.repeat(3_200).slice(2)}"]}`).a as string[]).length, 3_200);
  });

  it('refuses NUL characters and unpaired surrogates', () => {
    refuses('{"a":"x\\u0000"}', /NUL/);
    refuses('{"a\\u0000":1}', /NUL/);
    refuses('{"a":"\\ud83d"}', /surrogate/);
    refuses('{"a":["\\ude00\\ud83d"]}', /surrogate/);
  });

  it('refuses numbers too large for a double', () => {
    for (const number of ['1e999', '-1E+400', '1.8e308', '9'.repeat(400)])
      refuses(`{"a":[0,${number}]}`, /too large: “/);
    assert.deepEqual(parse('{"a":[-0.5e-3,1.7e308],"b":12}'), { a: [-0.0005, 1.7e308], b: 12 });
  });

  it('refuses __proto__ as a field name, but accepts constructor', () => {
    refuses('{"__proto__":{}}', /__proto__/);
    refuses('{"a":{"\\u005f_proto__":{}}}', /__proto__/);
    assert.deepEqual(Object.keys(parse('{"constructor":1,"toString":2}')), ['constructor', 'toString']);
  });

  it('quotes field names in errors shortened and with escaped control characters', () => {
    refuses(
      `{"${'k'.repeat(500)}":1,"${'k'.repeat(500)}":1}`,
      /^The body has the field “k{99}…” twice\. Send it once\.$/,
    );
    refuses('{"a\\n\\u001b":1,"a\\n\\u001b":1}', /“a\\n\\u001b” twice/);
  });
});
