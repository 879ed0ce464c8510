import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeTemplate } from './decode.ts';

test('decodes UTF-8 and keeps the byte order mark', () => {
  const text = '\ufeffa: é😀\r\n';
  assert.deepEqual(decodeTemplate(new TextEncoder().encode(text)), { text });
});

test('reports the line of invalid UTF-8', () => {
  const decoded = decodeTemplate(Uint8Array.of(0x61, 0x3a, 0x0a, 0xe9, 0x0a));
  assert.ok('problem' in decoded);
  const { code, line, path } = decoded.problem;
  assert.deepEqual({ code, line, path }, { code: 'yaml.encoding', line: 2, path: [] });
});

test('reports UTF-16 input with a hint', () => {
  for (const mark of [
    [0xff, 0xfe],
    [0xfe, 0xff],
  ]) {
    const decoded = decodeTemplate(Uint8Array.from([...mark, 0x61, 0x00]));
    assert.match('problem' in decoded ? (decoded.problem.hint ?? '') : '', /UTF-16/);
  }
});
