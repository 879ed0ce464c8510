import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Hiding, readable } from './text.ts';

const MIB = 1024 * 1024;

describe('readable', () => {
  it('removes terminal control sequences from text', () => {
    assert.equal(readable('\u001b[1;31mred\u001b[0m \u009b4mline\u009b0m'), 'red line');
    assert.equal(readable('\u001b]8;;https://evil.example\u0007click\u001b]8;;\u001b\\ here'), 'click here');
    assert.equal(readable('\u001bP1$r0m\u001b\\a\u001b(Bb\u001bc\u0008'), 'ab');
    assert.equal(readable('\u001b]0;never closed'), '0;never closed', 'nothing hides the rest of a line');
  });

  // Each of these inputs once took quadratic time: minutes to days for one line of the maximum length.
  for (const [what, piece] of [
    ['unterminated link sequences', '\u001b]8;;'],
    ['unterminated color sequences', '\u001b[1;'],
    ['escape characters', '\u001b'],
    ['unterminated single-byte sequences', '\u009b;'],
  ] as const) {
    it(`processes a mebibyte of ${what} without remaining escape characters`, { timeout: 60_000 }, () => {
      const text = piece.repeat(MIB / piece.length);
      assert.ok(!readable(`${text}the end`).includes('\u001b'));
      assert.ok(readable(`\u001b[${';'.repeat(MIB)}`).length > 0);
    });
  }
});

describe('secret redaction', () => {
  const value = '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nshort\n-----END KEY-----';
  const hiding = new Hiding([
    { key: 'KEY', value },
    { key: 'PASSWORD', value: 'a"b\\c$&d' },
    { key: 'TINY', value: 'abc' },
  ]);

  it('replaces each long line of a secret with several lines', () => {
    assert.deepEqual(
      value.split('\n').map((line) => hiding.told(`> ${line}`)),
      ['> [secret KEY]', '> [secret KEY]', '> short', '> [secret KEY]'],
    );
  });

  it('replaces secrets in their JSON encoding', () => {
    const text = JSON.stringify({ password: 'a"b\\c$&d', key: value });
    assert.equal(hiding.told(text), '{"password":"[secret PASSWORD]","key":"[secret KEY]"}');
  });

  it('replaces a secret with invisible characters inside', () => {
    assert.equal(hiding.told('x a"b\u001b[1m\\c\u200b$&d abc'), 'x [secret PASSWORD] abc');
    assert.equal(hiding.told('x a\ufe0f"b\u{e0101}\\c\u034f$&d\u3164 abc'), 'x [secret PASSWORD] abc');
  });
});
