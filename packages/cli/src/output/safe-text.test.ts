import assert from 'node:assert/strict';
import test from 'node:test';
import { safeJson, safeLine, safeLogLine, safeText } from './safe-text.ts';

const ESC = '\u001b';
const HOSTILE = [
  `${ESC}]0;title\u0007`,
  `${ESC}]52;c;Y2xpcA==${ESC}\\`,
  `${ESC}[2J${ESC}[1;1H`,
  `${ESC}[?1049h`,
  '\u009b31m',
  '\u009d0;x\u009c',
  '\r\u0008\u0007\u0000\u007f',
  'a\u202egnp.exe',
  '\u2066x\u2069\u200e\u061c',
  'one\u2028two\u2029three',
];

/** Returns the characters to which a terminal reacts, except line ends and tabs. */
function acted(text: string): string[] {
  return [...text].filter((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    const isControl = (code < 0x20 && letter !== '\n' && letter !== '\t') || (code >= 0x7f && code <= 0x9f);
    return isControl || /[\p{Bidi_Control}\u2028\u2029]/u.test(letter);
  });
}

test('safeText, safeLine and safeLogLine remove all terminal control characters', () => {
  for (const text of HOSTILE) {
    for (const make of [safeText, safeLine, (line: string) => safeLogLine(line, false)]) {
      assert.deepEqual(acted(make(text)), [], JSON.stringify(text));
    }
  }
});

test('safeLine replaces line breaks and tabs in a text', () => {
  assert.equal(safeLine('a\nerror: b\tc'), 'a␊error: b c');
});

test('safeText keeps ordinary text in every script', () => {
  for (const text of ['plain', 'für Ämter', '日本語', '👩‍👩‍👧', 'مرحبا', 'a\tb']) assert.equal(safeText(text), text);
});

test('safeLogLine removes colors, or keeps colors and resets them at the end', () => {
  const line = `${ESC}[1;31mred${ESC}[0m ${ESC}[2Jplain`;
  assert.equal(safeLogLine(line, false), 'red ␛[2Jplain');
  assert.equal(safeLogLine(line, true), `${ESC}[1;31mred${ESC}[0m ␛[2Jplain${ESC}[0m`);
});

test('safeJson keeps the data and escapes terminal control characters', () => {
  for (const text of HOSTILE) {
    const json = safeJson(JSON.stringify({ text }, null, 2));
    assert.deepEqual(JSON.parse(json), { text });
    assert.deepEqual(acted(json), []);
  }
});
