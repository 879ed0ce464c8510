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

test('the banner says how to sign in from here, claimed or not', () => {
  for (const setupToken of ['secret', null]) {
    assert.match(textOf({ ...ready, setupToken }, more), /npx davit login http:\/\/127\.0\.0\.1:3000/);
  }
});

test('the banner names the dashboard first, and where an instance is claimed with its token', () => {
  const first = (token) => bannerLines({ ...ready, setupToken: token }, more).find((line) => line.includes('http'));
  assert.match(first(null), /^ {2}Dashboard +http:\/\/127\.0\.0\.1:3000$/);
  assert.match(first('a+b'), /^ {2}Dashboard +http:\/\/127\.0\.0\.1:3000\/claim#token=a%2Bb /);
});

test('a claimed instance shows no token', () => {
  assert.doesNotMatch(textOf({ ...ready, setupToken: null }, more), /token/i);
});

test('a simulated engine is marked, and nothing is said to keep serving', () => {
  const text = textOf({ ...ready, engine: { kind: 'memory', simulated: true } }, { ...more, exampleUrl: null });

  assert.match(text, /simulated/);
  assert.doesNotMatch(text, /keep serving/);
});

test('an address leaves out the port that a browser takes by itself', () => {
  assert.equal(urlOf('a.localhost', 80), 'http://a.localhost/');
  assert.equal(urlOf('a.localhost', 8080), 'http://a.localhost:8080/');
});
