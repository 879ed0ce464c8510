import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Level, levelOf } from './level.ts';

const CASES: [line: string, level: Level][] = [
  ['{"level":"warn","msg":"slow"}', 'warn'],
  ['{"level":50,"time":1,"msg":"boom"}', 'error'],
  ['{"level":20,"msg":"pino"}', 'debug'],
  ['{"time":"x", "severity": "CRITICAL"}', 'error'],
  ['{"msg":"no level says ERROR"}', 'other'],
  ['level=info msg="listening" err=none', 'info'],
  ['ts=1 lvl="debug" x=1', 'debug'],
  ['2026-01-01T00:00:00Z ERROR could not connect', 'error'],
  ['2026-01-01 00:00:00,123 WARNING root: low', 'warn'],
  ['[warn] something', 'warn'],
  ['2026/01/01 [error] 7#7: *1 open() failed', 'error'],
  ['warning: unused', 'warn'],
  ['error: nope', 'error'],
  ['I0102 15:04:05.000000 1 main.go:1] started', 'info'],
  ['W0102 15:04:05.000000 1 main.go:1] hm', 'warn'],
  ['\u001b[33mWARN\u001b[0m coloured', 'warn'],
  ['TERROR and INFORMATION_SCHEMA are no levels', 'other'],
  ['no error at all', 'other'],
  ['GET /errors 200', 'other'],
  ['Traceback (most recent call last)', 'other'],
  ['', 'other'],
];

it('reads the log level from common line formats', () => {
  for (const [line, level] of CASES) assert.equal(levelOf(line), level, line);
});

it('ignores a log level far from the start of the line', () => {
  assert.equal(levelOf(`${'x'.repeat(1_000)} ERROR`), 'other');
});
