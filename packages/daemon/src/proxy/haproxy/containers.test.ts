import assert from 'node:assert/strict';
import test from 'node:test';
import { explainStart } from './containers.ts';
import { createRequest, recipeOf } from './create-request.ts';

const settings = { davitId: 'abcd1234', imageId: 'sha256:1', folder: '/data/proxy', socketOwner: null };

test('a generation after another takes its listening sockets over', () => {
  assert.equal(createRequest(settings, 1, null).Cmd.includes('-x'), false);
  assert.deepEqual(createRequest(settings, 2, 1).Cmd.slice(-2), ['-x', '/run/davit/1.sock']);
});

test('the recipe is of what the container is, and not of its number', () => {
  const label = (generation: number) => createRequest(settings, generation, null).Labels;

  assert.deepEqual(label(1), { ...label(2), 'davit.generation': '1' });
  assert.notEqual(recipeOf({ ...settings, imageId: 'sha256:2' }), recipeOf(settings));
});

test('why a proxy does not start is said with what to do', () => {
  const reasons: [RegExp, string][] = [
    [
      /cannot listen on \*:80 .*DAVIT_HTTP_PORT/,
      '[ALERT]    (1) : Starting frontend http: cannot bind socket (Address already in use) [*:80]',
    ],
    [
      /cannot listen on \*:443 .*DAVIT_HTTPS_PORT/,
      '[ALERT]    (1) : Starting frontend web: cannot bind socket (Address already in use) [*:443]',
    ],
    [
      /HAProxy 2\.4\.22.*2\.6 or later.*add server.*DAVIT_PROXY_IMAGE/,
      "[NOTICE]   (1) : haproxy version is 2.4.22-0ubuntu0.22.04\n[ALERT] unknown keyword 'fd-hard-limit'",
    ],
    [/unknown keyword 'x'/, "[NOTICE] (1) : New\n[ALERT]    (1) : unknown keyword 'x'"],
    [/exec: haproxy: not found/, 'exec: haproxy: not found'],
    [/wrote no reason/, ''],
  ];

  for (const [sentence, log] of reasons) assert.match(explainStart(log, 'exited', 443), sentence);
});
