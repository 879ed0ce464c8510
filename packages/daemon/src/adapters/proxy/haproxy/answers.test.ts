import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnswerCode, answerCodeOf, startProblemOf } from './answers.ts';

/** Examples of output of HAProxy 2.6 to 3.0. The live test suites check the examples of 2.6 with a real HAProxy. */
const ANSWERS: [AnswerCode | null, string][] = [
  ['store_begun', 'New empty certificate store /run/davit/certs/a.pem!'],
  ['done', 'Committing /run/davit/certs/a.pem\nSuccess!'],
  ['done', "Inserting certificate '/run/davit/certs/a.pem' in crt-list '/run/davit/list'.\nSuccess!"],
  ['deleted', "Certificate '/run/davit/certs/a.pem' deleted!"],
  ['deleted', "Entry '/run/davit/certs/a.pem' deleted in crtlist '/run/davit/list'!"],
  ['server_added', 'New server registered.'],
  [null, 'Transaction created for certificate /run/davit/certs/a.pem!'],
  [null, "can't load the certificate: no start line"],
  [null, 'Already exists a server with the same name in backend.'],
];

for (const [code, answer] of ANSWERS) {
  test(`answerCodeOf returns ${code} for “${answer.slice(0, 50)}”`, () => assert.equal(answerCodeOf(answer), code));
}

test('startProblemOf reads the reason of a failed start from the log', () => {
  const bind = '[ALERT]    (1) : Starting frontend web: cannot bind socket (Permission denied) [0.0.0.0:80]';
  assert.deepEqual(startProblemOf(bind), { code: 'cannot_bind', why: 'Permission denied', address: '0.0.0.0:80' });
  const old = '[NOTICE]   (1) : haproxy version is 2.4.22-0ubuntu0.22.04\n[ALERT] unknown keyword';
  assert.deepEqual(startProblemOf(old), { code: 'too_old', version: '2.4.22-0ubuntu0.22.04' });
  const recent = "[NOTICE]   (1) : haproxy version is 2.6.12-1\n[ALERT]    (1) : unknown keyword 'x'";
  assert.deepEqual(startProblemOf(recent), { code: 'unknown', alerts: ["[ALERT]    (1) : unknown keyword 'x'"] });
});
