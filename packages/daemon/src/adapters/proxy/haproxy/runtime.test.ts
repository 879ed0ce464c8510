import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { parseCertificates, parseLastChecks, parseMap, parseServersState } from './running.ts';
import { parseAnswers, parseInfo, parseOpenConnections, parseProcesses, sendCommands } from './runtime.ts';

const FIELDS =
  '# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state srv_uweight srv_iweight srv_time_since_last_change srv_check_status srv_check_result srv_check_health srv_check_state srv_agent_state bk_f_forced_id srv_f_forced_id srv_fqdn srv_port srvrecord srv_use_ssl srv_check_port srv_check_addr srv_agent_addr srv_agent_port';

test('parseAnswers separates the responses of a worker or master by the prompt', () => {
  assert.deepEqual(parseAnswers('\n> New server registered.\n\n> \n> 1\n# a b\n\n> '), [
    'New server registered.',
    '',
    '1\n# a b',
  ]);
  assert.deepEqual(parseAnswers('master> #<PID> a\n\nmaster> b\n\nmaster> master> '), ['#<PID> a', 'b']);
  const failed = 'master[ReloadFailed]> ';
  assert.deepEqual(parseAnswers(`\n${failed}#<PID> a\n\n${failed}`), ['#<PID> a']);
});

test('parseServersState reports a checked server as up only after a passed check', () => {
  const answer = [
    '1',
    FIELDS,
    '4 b1 1 i1 127.0.0.1 2 8 1 1 0 1 0 1 6 0 0 0 - 8098 - 0 0 - - 0',
    '4 b1 2 i2 127.0.0.1 2 0 1 1 0 6 3 2 6 0 0 0 - 8098 - 0 0 - - 0',
    '4 b1 3 i3 127.0.0.1 0 8 1 1 0 8 2 0 6 0 0 0 - 8098 - 0 0 - - 0',
    '5 b2 1 i4 fd00::1 0 1 1 1 0 1 0 0 2 0 0 0 - 80 - 0 0 - - 0',
    '3 api 1 d 127.0.0.1 2 0 1 1 0 1 0 0 0 0 0 0 - 3000 - 0 0 - - 0',
  ].join('\n');

  assert.deepEqual(Object.fromEntries(parseServersState([answer])), {
    b1: [
      { name: 'i1', endpoint: '127.0.0.1:8098', admin: 'drain', sight: 'unknown' },
      { name: 'i2', endpoint: '127.0.0.1:8098', admin: 'ready', sight: 'up' },
      { name: 'i3', endpoint: '127.0.0.1:8098', admin: 'drain', sight: 'down' },
    ],
    b2: [{ name: 'i4', endpoint: '[fd00::1]:80', admin: 'maint', sight: 'down' }],
    api: [{ name: 'd', endpoint: '127.0.0.1:3000', admin: 'ready', sight: 'up' }],
  });
});

test('parseMap reads map entries without their memory addresses', () => {
  const answer = '0x558d743dcc80 localhost api\n0x7fd630051ae0 a.example b1';

  assert.deepEqual(
    [...parseMap(`${answer}\nUnknown map identifier. Please use #<id> or <file>.`)],
    [
      ['localhost', 'api'],
      ['a.example', 'b1'],
    ],
  );
});

test('parseAnswers ignores the prompts for payload lines', () => {
  assert.deepEqual(parseAnswers('\n> + + + Transaction created!\n\n> Success!\n\n> '), [
    'Transaction created!',
    'Success!',
  ]);
});

test('parseCertificates reads certificate list entries with their line numbers', () => {
  const answer = [
    '# /run/davit/current/certificates.list',
    '/run/davit/certs/default.pem:1 default.invalid',
    '/run/davit/certs/c1.pem:2 [alpn h2 ] a.example *.b.example ',
  ].join('\n');

  assert.deepEqual(parseCertificates(answer), [
    { path: '/run/davit/certs/default.pem', line: '1', hosts: ['default.invalid'] },
    { path: '/run/davit/certs/c1.pem', line: '2', hosts: ['a.example', '*.b.example'] },
  ]);
});

test('parseLastChecks returns the last check result of a server as the reason', () => {
  const answer = '# pxname,svname,last_chk,check_desc,-\nb2,i2,Connection refused,Layer4 connection problem,';

  assert.deepEqual([...parseLastChecks([answer])], [['b2/i2', 'Connection refused, Layer4 connection problem']]);
});

test('parseProcesses distinguishes old workers from the current worker', () => {
  const answer = [
    '#<PID>          <type>          <reloads>       <uptime>        <version>',
    '1               master          2 [failed: 1]   0d00h11m35s     2.6.12-1',
    '# workers',
    '15              worker          0               0d00h00m01s     2.6.12-1',
    '# old workers',
    '11              worker          1               0d00h10m33s     2.6.12-1',
    '# programs',
  ].join('\n');

  assert.deepEqual(parseProcesses(answer), { worker: 15, oldWorkers: [11], failedReloads: 1 });
});

test('parseOpenConnections counts active connections without idle connections', () => {
  const answer = [
    '# bkname/svname bkid/svid addr port - purge_delay used_cur used_max need_est unsafe_nb safe_nb idle_lim idle_cur idle_per_thr[2]',
    'b1/i1 4/1 127.0.0.11 8098 - 5000 2 3 3 0 1 -1 1 0 1',
  ].join('\n');

  assert.equal(parseOpenConnections(answer, 'b1', 'i1'), 2);
  assert.equal(parseOpenConnections(answer, 'b1', 'i2'), 0);
});

test('parseInfo reads the version, process ID, description and state of a worker', () => {
  const answer = 'Name: HAProxy\nVersion: 2.6.12-1\nPid: 7\nStopping: 1\ndescription: davit 0123456789abcdef 512';

  assert.deepEqual(parseInfo(answer), {
    version: '2.6.12-1',
    pid: 7,
    description: 'davit 0123456789abcdef 512',
    stopping: true,
  });
});

test('sendCommands reports an unreachable socket if a response is missing', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'davit-socket-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'a.sock');
  const server = createServer((socket) => socket.end('\n> one\n> '));
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));

  await assert.rejects(sendCommands(path, ['one', 'two']), { name: 'RuntimeUnreachable' });
  await assert.rejects(sendCommands(join(folder, 'none.sock'), ['one']), { name: 'RuntimeUnreachable' });
});
