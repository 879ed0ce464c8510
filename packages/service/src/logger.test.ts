import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createLogger, type LogLevel } from './logger.ts';

function logged(level: LogLevel): { lines: string[]; log: ReturnType<typeof createLogger> } {
  const lines: string[] = [];
  return { lines, log: createLogger({ level, destination: { write: (line) => void lines.push(line) } }) };
}

it('a line is one JSON object with a time, a level and a message', () => {
  const { lines, log } = logged('info');
  log.child({ requestId: 'r' }).info({ path: 'a\nb\u001b[2J' }, 'request');

  assert.equal(lines.length, 1);
  assert.equal(lines[0]?.trimEnd().includes('\n'), false);
  const { time, ...rest } = JSON.parse(lines[0] ?? '');
  assert.ok(Date.parse(time));
  assert.deepEqual(rest, { level: 'info', requestId: 'r', path: 'a\nb\u001b[2J', msg: 'request' });
});

it('secrets do not reach a line', () => {
  const { lines, log } = logged('info');
  log.warn(
    { password: 'hunter2', headers: { authorization: 'Bearer davit_1', cookie: 'davit_session=1' } },
    'careless',
  );
  assert.doesNotMatch(lines.join(''), /hunter2|davit_1|session=1/);
});

it('an error is logged with its causes', () => {
  const { lines, log } = logged('info');
  log.error({ error: new Error('outer', { cause: new Error('inner') }) }, 'request failed');
  assert.match(lines.join(''), /outer.*inner/);
});

it('what is below the level is not written', () => {
  const { lines, log } = logged('warn');
  log.info('quiet');
  assert.deepEqual(lines, []);
  assert.equal(log.isLevelEnabled('info'), false);
  assert.equal(log.isLevelEnabled('error'), true);
});
