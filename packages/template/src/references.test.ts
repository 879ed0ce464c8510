import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { inputAlone, referencesIn, substitute } from './references.ts';

describe('referencesIn', () => {
  const cases: [text: string, found: string[]][] = [
    ['plain', []],
    ['${input.domain}', ['input domain -']],
    ['https://${input.domain}/${app.web.internal}', ['input domain -', 'app web internal']],
    ['${db.my-db_1.password}', ['db my-db_1 password']],
    ['${store.files.bucket}', ['store files bucket']],
    ['${input.domain.host}', ['input domain host']],
    ['$${input.a}', ['input a -']],
    ['${input.a}${input.b}', ['input a -', 'input b -']],
    ['${inputs.domain}', []],
    ['${input.1a}', []],
    ['${input.}', []],
    ['${input}', []],
    ['${db.x.hots1}', []],
    ['${db.x.Host}', []],
    ['${ input.a }', []],
    ['${{input.a}}', []],
    ['$ {input.a}', []],
    ['${input.a', []],
    ['${HOME:-x}', []],
    ['${Input.a}', []],
  ];
  for (const [text, found] of cases) {
    test(`finds the references in “${text}”`, () => {
      const references = referencesIn(text).map(({ kind, key, attribute = '-' }) => `${kind} ${key} ${attribute}`);
      assert.deepEqual(references, found);
    });
  }
});

test('returns the input key only if the text is a single reference', () => {
  assert.equal(inputAlone('${input.port}'), 'port');
  for (const text of [' ${input.port}', '${input.port.x}', '${app.port}', '${input.a}${input.b}', '22']) {
    assert.equal(inputAlone(text), null);
  }
});

test('replaces references with values and leaves other text unchanged', () => {
  const text = 'a ${input.x} ${HOME} ${db.d.host} $& ${inputs.y}';
  assert.equal(
    substitute(text, ({ kind, key, attribute }) => `<${kind} ${key} ${attribute ?? '-'} $1>`),
    'a <input x - $1> ${HOME} <db d host $1> $& ${inputs.y}',
  );
});
