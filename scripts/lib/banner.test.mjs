import assert from 'node:assert/strict';
import test from 'node:test';
import { bannerLines, urlOf } from './banner.mjs';

const ready = {
  api: 'http://127.0.0.1:3000',
  setupToken: 'secret',
  dataDir: '/data',
  engine: { kind: 'docker', simulated: false },
};
const more = { exampleUrl: 'http://hello.production.demo.localhost/', logFile: '/data/davit.log', ms: 12_300 };
const textOf = (...args) => bannerLines(...args).join('\n');

test('the banner names the API, its documentation, the token, the example and the log', () => {
  const text = textOf(ready, more);

  for (const part of [ready.api, `${ready.api}/docs`, 'secret', more.exampleUrl, more.logFile, '12.3 s']) {
    assert.ok(text.includes(part), part);
  }
});

test('the banner shows the login command for claimed and unclaimed instances', () => {
  for (const setupToken of ['secret', null]) {
    assert.match(textOf({ ...ready, setupToken }, more), /npx davit login http:\/\/127\.0\.0\.1:3000/);
  }
});

test('the banner lists the dashboard first, with the claim link for an unclaimed instance', () => {
  const first = (token) => bannerLines({ ...ready, setupToken: token }, more).find((line) => line.includes('http'));
  assert.match(first(null), /^ {2}Dashboard +http:\/\/127\.0\.0\.1:3000$/);
  assert.match(first('a+b'), /^ {2}Dashboard +http:\/\/127\.0\.0\.1:3000\/claim#token=a%2Bb /);
});

test('the banner of a claimed instance shows no token', () => {
  assert.doesNotMatch(textOf({ ...ready, setupToken: null }, more), /token/i);
});

test('the banner marks a simulated engine and does not claim that apps keep serving', () => {
  const text = textOf({ ...ready, engine: { kind: 'memory', simulated: true } }, { ...more, exampleUrl: null });

  assert.match(text, /simulated/);
  assert.doesNotMatch(text, /keep serving/);
});

test('the banner of a first start shows the recovery key, or how to create it', () => {
  const first = { ...ready, firstRun: true };

  assert.match(textOf(first, { ...more, recoveryKey: '7QK2M-AAAAA' }), /Recovery key +7QK2M-AAAAA /);
  assert.match(textOf(first, more), /Recovery key +create it with: npx davit instance recovery-key/);
  assert.doesNotMatch(textOf(ready, more), /Recovery key/);
});

test('urlOf omits the default port 80 and keeps other ports', () => {
  assert.equal(urlOf('a.localhost', 80), 'http://a.localhost/');
  assert.equal(urlOf('a.localhost', 8080), 'http://a.localhost:8080/');
});
