import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createLogger, type LogLevel } from './logger.ts';

function logged(level: LogLevel): { lines: string[]; log: ReturnType<typeof createLogger> } {
  const lines: string[] = [];
  return { lines, log: createLogger({ level, destination: { write: (line) => void lines.push(line) } }) };
}

it('writes each log line as a JSON object with time and level', () => {
  const { lines, log } = logged('info');
  log.child({ requestId: 'r' }).info({ path: 'a\nb\u001b[2J' }, 'request');

  assert.equal(lines.length, 1);
  assert.equal(lines[0]?.trimEnd().includes('\n'), false);
  const { time, ...rest } = JSON.parse(lines[0] ?? '');
  assert.ok(Date.parse(time));
  assert.deepEqual(rest, { level: 'info', requestId: 'r', path: 'a\nb\u001b[2J', msg: 'request' });
});

it('removes passwords, tokens and cookies from log lines', () => {
  const { lines, log } = logged('info');
  log.warn(
    { password: 'hunter2', headers: { authorization: 'Bearer davit_1', cookie: 'davit_session=1' } },
    'careless',
  );
  assert.doesNotMatch(lines.join(''), /hunter2|davit_1|session=1/);
});

it('logs an error with its causes', () => {
  const { lines, log } = logged('info');
  log.error({ error: new Error('outer', { cause: new Error('inner') }) }, 'request failed');
  assert.match(lines.join(''), /outer.*inner/);
});

it('writes no line below the configured level', () => {
  const { lines, log } = logged('warn');
  log.info('quiet');
  assert.deepEqual(lines, []);
  assert.equal(log.isLevelEnabled('info'), false);
  assert.equal(log.isLevelEnabled('error'), true);
});
