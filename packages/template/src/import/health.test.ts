import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { importCompose } from './import.ts';

/** Returns port and health path of an app, and whether the health check was left out. */
function converted(check: string, more = '') {
  const made = importCompose(`services:\n  web:\n    image: a\n    healthcheck: { test: ${check} }\n${more}`);
  assert.ok(made.ok);
  const [app] = made.manifest?.apps ?? [];
  const isLeftOut = made.notes.some(({ kind, key }) => kind === 'left-out' && key === 'healthcheck');
  return [app?.port, app?.health, isLeftOut];
}

describe('the health check of a Compose service', () => {
  test('gives the app its port if the file declares no port', () => {
    assert.deepEqual(converted('["CMD", "curl", "-f", "http://127.0.0.1:3000/ready"]'), [3000, '/ready', false]);
    assert.deepEqual(converted('["CMD-SHELL", "wget -qO- http://localhost/ || exit 1"]'), [80, '/', false]);
  });

  test('may request an address without a scheme with curl or wget', () => {
    assert.deepEqual(converted('curl --silent --fail localhost:9200/_cluster/health || exit 1'), [
      9200,
      '/_cluster/health',
      false,
    ]);
    assert.deepEqual(converted('nc -z localhost 9200'), [null, null, true]);
  });

  test('keeps the port that the file declares', () => {
    const ports = '    ports: ["8080:8080"]\n';
    assert.deepEqual(converted('curl http://localhost:8080/ready', ports), [8080, '/ready', false]);
    assert.deepEqual(converted('curl http://localhost:9000/ready', ports), [8080, null, true]);
  });

  test('is left out if it uses HTTPS, another host or a port without a value', () => {
    assert.deepEqual(converted('curl -k https://localhost:8443/'), [null, null, true]);
    assert.deepEqual(converted('curl http://other:3000/'), [null, null, true]);
    assert.deepEqual(converted('"curl http://localhost:${PORT}/"'), [null, null, true]);
  });

  test('is left out if it is too long to be a request', () => {
    const request = (words: number) => JSON.stringify(`${'wget '.repeat(words)}http://localhost:3000/`);
    assert.deepEqual(converted(request(100)), [3000, '/', false]);
    assert.deepEqual(converted(request(10_000)), [null, null, true]);
  });
});
