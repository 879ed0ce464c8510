import assert from 'node:assert/strict';
import { it } from 'node:test';
import { endOf, parseShellEnd, shellAddress } from './shell-connection.ts';

const PATH = { project: 'shop', environment: 'production', app: 'web' };

it('builds the shell URL with command and limited terminal size', () => {
  const address = shellAddress(PATH, { replica: 'web-1', command: ['/bin/sh', '-l'] }, { columns: 2_000.5, rows: 0 });
  const { pathname, searchParams } = new URL(address, 'http://x');
  assert.equal(pathname, '/api/apps/shop/production/web/shell');
  assert.deepEqual(Object.fromEntries(searchParams), {
    columns: '1000',
    rows: '1',
    command: '["/bin/sh","-l"]',
    refusal: 'message',
    replica: 'web-1',
  });
});

it('parses exit and refusal messages and ignores other messages', () => {
  assert.deepEqual(parseShellEnd('{"exit":3}'), { kind: 'exit', code: 3 });
  assert.deepEqual(parseShellEnd('{"refused":{"code":"conflict","message":"No."}}'), {
    kind: 'refused',
    message: 'No.',
  });
  for (const text of ['{}', 'null', '7', 'x', '{"exit":"3"}']) assert.equal(parseShellEnd(text), null);
});

it('explains the reason for a closed shell connection', () => {
  assert.match(endOf(1_006, '', false).kind, /lost/);
  assert.deepEqual(endOf(1_008, 'Not any more.', true), { kind: 'lost', message: 'Not any more.' });
  assert.match((endOf(1_006, '', true) as { message: string }).message, /connection was interrupted/);
  assert.match((endOf(1_001, '', true) as { message: string }).message, /stopping/);
});
