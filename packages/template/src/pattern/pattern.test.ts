import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import fc from 'fast-check';
import { compilePattern } from './pattern.ts';

function matches(pattern: string, text: string): boolean | null {
  const compiled = compilePattern(pattern);
  assert.ok(compiled.ok, compiled.ok ? '' : `${pattern}: ${compiled.reason}`);
  return compiled.pattern.matches(text);
}

describe('patterns compared with native regular expressions', () => {
  const cases: [pattern: string, ...texts: string[]][] = [
    ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'a@b.c', 'a@b', 'a b@c.d', ''],
    ['^https?://[^\\s/]+(:[0-9]+)?/?$', 'http://a:9200', 'https://a/', 'ftp://a', 'http://a/b'],
    ['^https?://.+', 'http://x', 'http://'],
    ['[a-z]+', 'abc', 'abc1', ''],
    ['a|bc|', 'a', 'bc', '', 'b'],
    ['(ab|a)(c|bcd)', 'abcd', 'abc', 'ac', 'ab'],
    ['a{2,3}', 'a', 'aa', 'aaa', 'aaaa'],
    ['a{2}', 'a', 'aa', 'aaa'],
    ['a{2,}?', 'a', 'aaaa'],
    ['(?:ab)*', '', 'ab', 'aba'],
    ['(?<year>\\d{4})-\\d\\d', '2026-01', '202-01'],
    ['\\bfoo\\b.*', 'foo bar', 'foobar'],
    ['a\\Bb', 'ab'],
    ['[\\w.-]+', 'a.b-c', 'a b'],
    ['[^a-c\\d]', 'd', 'b', '5'],
    ['[a\\]-]', ']', '-', 'b'],
    ['\\x41\\t\\.', 'A\t.', 'A.'],
    ['a{', 'a{', 'a'],
    ['a{,2}', 'a{,2}', 'aa'],
    ['(a*)*', '', 'aaa', 'b'],
    ['.', '\n', 'x', '\u2028'],
    ['}', '}'],
  ];
  for (const [pattern, ...texts] of cases) {
    test(pattern, () => {
      const native = new RegExp(`^(?:${pattern})$`);
      assert.deepEqual(
        texts.map((text) => matches(pattern, text)),
        texts.map((text) => native.test(text)),
      );
    });
  }

  test('matches random patterns like a native RegExp', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '\\b', '(a|b)', '(?:ab)', '1', '-');
    const times = fc.constantFrom('', '', '*', '+', '?', '{1,2}', '{2}', '+?');
    const part = fc.tuple(atom, times).map(([one, many]) => (one === '\\b' ? one : one + many));
    const pattern = fc.array(fc.array(part, { maxLength: 5 }), { minLength: 1, maxLength: 3 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-'), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (branches, answer) => {
        const written = branches.map((parts) => parts.join('')).join('|');
        assert.equal(matches(written, answer), new RegExp(`^(?:${written})$`).test(answer));
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});

describe('refusal of non-portable patterns', () => {
  const cases = [
    ...['(', ')', '[', '[a', 'a)', '*', 'a**', 'a{3,2}', 'a{1001}', '[b-a]', '[\\d-z]', '\\', '^*', '(?', '(?:a'],
    ...['(?i)a', '(?i:a)', '(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '\\k<a>', '(?P<a>b)', '\\Aa', 'a\\z'],
    ...['\\pL', '\\p{L}', '\\u0041', '\\x{41}', '\\Q.\\E', '[[:alpha:]]', '[]a]', '[^]a]', '\\C', '\\0', 'a*+'],
    '('.repeat(60) + ')'.repeat(60),
    'a'.repeat(4097),
  ];
  for (const pattern of cases) {
    test(pattern.slice(0, 20), () => assert.equal(compilePattern(pattern).ok, false));
  }
});

describe('work budget of hostile patterns', () => {
  test('matches patterns with exponential backtracking within the budget', () => {
    assert.equal(matches('(a+)+$', `${'a'.repeat(5000)}!`), false);
    assert.equal(matches('(a|aa)*b', 'a'.repeat(5000)), false);
  });

  test('returns null after a shared budget is used up', () => {
    const compiled = compilePattern('(a|b|c)*');
    assert.ok(compiled.ok);
    const budget = { steps: 20 };
    assert.equal(compiled.pattern.matches('a', budget), true);
    assert.equal(compiled.pattern.matches('abcabc', budget), null);
  });

  test('limits the work of short patterns with huge repetitions', () => {
    assert.equal(matches('((a{1000}){1000}){1000}', 'a'), null);
    assert.equal(matches('((((a{0,9}){0,9}){0,9}){0,9}){0,9}', 'aaa'), null);
    assert.equal(matches(`${'('.repeat(50)}${'){1000}'.repeat(50)}`, 'a'), false);
  });
});
