import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { ConfigInvalid } from '@davit/service';
import { makeConfig } from './config.ts';
import { type RawSettings, readSettings } from './settings.ts';

const AS_USER = { isRoot: false, xdgDataHome: '/home/ada/data' };
const of = (raw: RawSettings) => makeConfig(raw, AS_USER);

test('makeConfig without settings serves the examples on the loopback address', () => {
  assert.deepEqual(of({}), {
    listen: { host: '127.0.0.1', port: 3010 },
    dataDir: '/home/ada/data/davit-catalog',
    url: 'http://127.0.0.1:3010',
    source: { kind: 'dir', path: '/home/ada/data/davit-catalog/examples' },
    topics: ['davit-template', 'cubeship-template'],
    verifiedOwners: [],
    intervalS: 300,
    indexes: true,
    logLevel: 'info',
  });
  assert.equal(makeConfig({}, { isRoot: true, xdgDataHome: '/x' }).dataDir, '/var/lib/davit-catalog');
});

test('makeConfig derives the public URL from the listener and removes trailing slashes', () => {
  assert.equal(of({ listen: '[::1]:80' }).url, 'http://[::1]:80');
  assert.equal(of({ url: 'https://templates.example.com/' }).url, 'https://templates.example.com');
  assert.equal(of({ url: 'https://example.com/templates//' }).url, 'https://example.com/templates');
});

test('makeConfig accepts a folder or GitHub as the source', () => {
  assert.deepEqual(of({ source: 'dir:/srv/templates' }).source, { kind: 'dir', path: '/srv/templates' });
  assert.deepEqual(of({ source: 'github', githubToken: ' abc ' }).source, {
    kind: 'github',
    baseUrl: 'https://api.github.com',
    token: 'abc',
  });
  for (const source of ['dir:', 'gitlab', 'GitHub', '/srv']) assert.throws(() => of({ source }), ConfigInvalid);
});

test('makeConfig refuses a GitHub URL without TLS except on the loopback address', () => {
  for (const githubUrl of [
    'https://git.example.com/api/v3',
    'http://127.0.0.1:8080',
    'http://[::1]',
    'http://localhost',
  ]) {
    const { source } = of({ source: 'github', githubUrl });
    assert.equal(source.kind === 'github' && source.baseUrl, githubUrl);
  }
  for (const githubUrl of ['http://git.example.com', 'http://127.0.0.1.example.com', 'http://localhost.example.com']) {
    assert.throws(() => of({ source: 'github', githubUrl }), /DAVIT_CATALOG_GITHUB_URL .* must be an HTTPS address/);
  }
});

test('makeConfig reads the token from a file and never shows the token in errors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'davit-catalog-'));
  try {
    const file = join(folder, 'token');
    writeFileSync(file, 'secret-token\n');
    const { source } = of({ source: 'github', githubTokenFile: file });
    assert.equal(source.kind === 'github' && source.token, 'secret-token');
    writeFileSync(file, 'secret token\n');
    assert.throws(
      () => of({ githubTokenFile: file }),
      (error: Error) => /TOKEN_FILE/.test(error.message) && !error.message.includes('secret token'),
    );
    assert.throws(() => of({ githubTokenFile: join(folder, 'none') }), /cannot be read/);
    assert.throws(() => of({ githubTokenFile: file, githubToken: 'x' }), /are both set/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('makeConfig accepts at most two verified owners, with or without an ID', () => {
  assert.deepEqual(of({ verifiedOwners: ' acme , Globex:42 ' }).verifiedOwners, [
    { owner: 'acme', id: null },
    { owner: 'Globex', id: 42 },
  ]);
  for (const verifiedOwners of ['a,b,c', 'a:0', 'a:x', 'a:1:2', 'a,A', 'ac me', 'acmé'])
    assert.throws(() => of({ verifiedOwners }), /must be at most two owners/, verifiedOwners);
});

test('makeConfig trims topics and removes duplicates', () => {
  assert.deepEqual(of({ topics: 'a, b ,a' }).topics, ['a', 'b']);
  for (const topics of [',', 'Template', 'a b']) assert.throws(() => of({ topics }), ConfigInvalid, topics);
});

test('makeConfig refuses an interval below five minutes', () => {
  assert.equal(of({ intervalS: '301' }).intervalS, 301);
  for (const intervalS of ['299', '0', '-300', '3e2', '300.0', '999999999', 'x'])
    assert.throws(() => of({ intervalS }), /must be whole seconds from 300/, intervalS);
});

test('makeConfig turns indexing off for the value 0 and refuses other words', () => {
  assert.equal(of({ indexes: '0' }).indexes, false);
  for (const indexes of ['no', 'true', '2']) assert.throws(() => of({ indexes }), /must be 1 or 0/);
});

test('makeConfig reports each invalid setting on its own line', () => {
  const raw = { listen: 'nowhere', url: 'ftp://x', source: 'svn', topics: '!', intervalS: '1', logLevel: 'loud' };
  assert.throws(
    () => of(raw),
    (error: Error) => {
      const lines = error.message.split('\n');
      const named = lines.map((line) => /^DAVIT_CATALOG_([A-Z_]+) \(--[a-z-]+\) .+\.$/.exec(line)?.[1]);
      assert.deepEqual(named, ['LISTEN', 'URL', 'SOURCE', 'TOPICS', 'INTERVAL_S', 'LOG_LEVEL']);
      return error instanceof ConfigInvalid;
    },
  );
});

test('readSettings prefers flags, ignores empty variables and has no flag for the token', () => {
  const env = { DAVIT_CATALOG_LISTEN: '127.0.0.1:1', DAVIT_CATALOG_URL: '', DAVIT_CATALOG_GITHUB_TOKEN: 'abc' };
  assert.deepEqual(readSettings(env, ['--listen', '127.0.0.1:2']), { listen: '127.0.0.1:2', githubToken: 'abc' });
  assert.throws(() => readSettings({}, ['--github-token', 'abc']), /docs\/reference\/catalog-config\.md/);
});
