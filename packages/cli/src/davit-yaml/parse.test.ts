import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DEFAULT_PIDS } from '@davit/api';
import { showMistake } from './excerpt.ts';
import { MOST_BYTES, parseDavitFile } from './parse.ts';

const APP = 'app: shop/production/web\n';

function mistakesOf(text: string): string[] {
  const parsed = parseDavitFile(text);
  return parsed.ok ? [] : parsed.mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const DOCS = new URL('../../../../docs/', import.meta.url);

/** Returns the complete davit.yaml files in the documentation. */
function documented(): [string, string][] {
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return pages.flatMap((name) => {
    const blocks = readFileSync(new URL(name, DOCS), 'utf8').matchAll(/^```yaml\n(.*?)^```/gms);
    return [...blocks].map(([, text = '']): [string, string] => [name, text]).filter(([, text]) => /^app:/m.test(text));
  });
}

describe('a davit.yaml file', () => {
  it('in the documentation is valid', () => {
    const found = documented();

    assert.ok(found.length > 0);
    for (const [name, text] of found) assert.deepEqual(mistakesOf(text), [], name);
  });

  it('is parsed with all defaults filled in', () => {
    const parsed = parseDavitFile(APP);

    assert.ok(parsed.ok);
    assert.deepEqual(parsed.file.health.interval_ms, 500);
    assert.deepEqual([parsed.file.scale, parsed.file.variables, parsed.file.domains], [undefined, {}, []]);
  });

  it('keeps numbers in variables and build arguments as written', () => {
    const parsed = parseDavitFile(`${APP}variables: {A: 1.10, B: 0x10, C: yes, D: true}\nbuild: {args: {V: 2.0}}\n`);

    assert.ok(parsed.ok);
    assert.deepEqual(parsed.file.variables, { A: '1.10', B: '0x10', C: 'yes', D: 'true' });
    assert.deepEqual(parsed.file.build?.args, { V: '2.0' });
  });

  it('accepts memory in all units of the command line', () => {
    for (const [written, bytes] of Object.entries({
      '512m': 2 ** 29,
      '64Mi': 2 ** 26,
      '1.5g': 1.5 * 2 ** 30,
      '"1 GiB"': 2 ** 30,
      '67108864': 2 ** 26,
      null: null,
    })) {
      const parsed = parseDavitFile(`${APP}limits: {memory: ${written}, cpu: 2}\n`);

      assert.ok(parsed.ok, written);
      assert.deepEqual(parsed.file.limits, { cpu: 2, memory_bytes: bytes, pids: DEFAULT_PIDS });
    }
  });

  const wrong: [string, string, string[]][] = [
    ['an unknown key', `${APP}scal: 2\n`, ['2:1 "scal" is not a known key here: did you mean "scale"?']],
    [
      'an unknown key inside a setting',
      `${APP}health:\n  intervall_ms: 100\n`,
      ['3:3 "intervall_ms" is not a known key here: did you mean "interval_ms"?'],
    ],
    [
      'an unknown key in a list',
      `${APP}domains:\n  - {host: a.example, prt: 3}\n`,
      ['3:23 "prt" is not a known key here: did you mean "port"?'],
    ],
    ['text instead of a number', `${APP}port: "80"\n`, ['2:7 port must be a number']],
    ['a number instead of text', `${APP}tag: 1.10\n`, ['2:6 tag must be text: put it in quotes']],
    ['a missing value', `${APP}variables:\n  A:\n`, ['3:3 variables.A has no value: for an empty string, write ""']],
    ['a number out of bounds', `${APP}limits: {pids: 1}\n`, ['2:16 limits.pids must be at least 16']],
    [
      'an invalid amount of memory',
      `${APP}limits: {memory: much}\n`,
      ['2:18 limits.memory must be an amount of memory: write for example 512m or 1.5g'],
    ],
    ['too little memory', `${APP}limits: {memory: 5m}\n`, ['2:18 limits.memory must be at least 6Mi']],
    ['too much memory', `${APP}limits: {memory: 9000t}\n`, ['2:18 limits.memory is too large']],
    [
      'two keys for the memory limit',
      `${APP}limits: {memory: 64m, memory_bytes: 67108864}\n`,
      ['2:18 limits.memory cannot be used together with "memory_bytes": remove one of the two keys'],
    ],
    [
      'a variable reserved for the davit command',
      `${APP}variables: {X: {from_env: DAVIT_API_KEY}}\n`,
      [
        '2:27 variables.X.from_env cannot start with DAVIT_: this prefix is reserved for variables of the davit command',
      ],
    ],
    ['a missing app', 'scale: 2\n', ['1:1 the address of the app is missing: add "app: project/environment/app"']],
    [
      'a project without an app',
      'project: shop\n',
      ['1:1 the address of the app is missing: add "app: project/environment/app"'],
    ],
    [
      'a name together with an app reference',
      `${APP}name: web\n`,
      ['2:7 name cannot be used together with "app": remove one of the two keys'],
    ],
    ['a reserved name', 'app: shop/settings/web\n', ['1:6 app environment “settings” is reserved']],
    [
      'an image together with a build',
      `${APP}image: nginx\nbuild: {}\n`,
      ['3:8 build cannot be used together with "image": remove one of the two keys'],
    ],
    [
      'two different tags',
      `${APP}image: nginx:1\ntag: "2"\n`,
      ['3:6 tag conflicts with the tag in "image": specify the tag only once'],
    ],
    [
      'several replicas of an app with a volume',
      `${APP}scale: 2\nvolumes: [/data]\n`,
      [
        '2:8 scale must be 1, because an app with a volume can have only one replica: set it to 1, or remove the volumes',
      ],
    ],
    [
      'a volume inside another volume',
      `${APP}volumes: [/data/in, /data]\n`,
      ['2:11 volumes.0 is inside the volume /data: choose another path'],
    ],
    [
      'more volumes than an app can have',
      `${APP}volumes: [${Array.from({ length: 33 }, (_, n) => `/v${n}`).join(', ')}]\n`,
      ['2:10 volumes must have at most 32 paths'],
    ],
    [
      'a domain that redirects to itself',
      `${APP}domains:\n  - {host: A.example, redirect_to: a.example.}\n`,
      ['3:36 domains.0.redirect_to is the host of the domain itself: choose another host'],
    ],
    [
      'a redirect to a redirected domain',
      `${APP}domains:\n  - {host: a.example, redirect_to: b.example}\n  - {host: b.example, redirect_to: c.example}\n`,
      ['3:36 domains.0.redirect_to is itself redirected: choose a host that is not redirected'],
    ],
    [
      'hosts that cannot be domains',
      `${APP}domains: ["*.a.example", web, {host: 10.0.0.1, path: api}]\n`,
      [
        '2:11 domains.0 must be one host name, such as shop.example.com, without a wildcard',
        '2:26 domains.1 must be a full host name with a dot, such as shop.example.com',
        '2:38 domains.2.host must be a host name, such as shop.example.com, and not an IP address',
        '2:54 domains.2.path must begin with “/”',
      ],
    ],
    [
      'IP addresses in other spellings, and paths that the instance refuses',
      `${APP}domains:\n  - 10.0.0.1.\n  - {host: a.example, redirect_to: 0x7f.1}\n  - {host: a.example, path: /a//b}\n`,
      [
        '3:5 domains.0 must be a host name, such as shop.example.com, and not an IP address',
        '4:36 domains.1.redirect_to must be a host name, such as shop.example.com, and not an IP address',
        '5:29 domains.2.path must not contain “//”',
      ],
    ],
    [
      'a redirect of a path to a host that redirects the same path',
      `${APP}domains:\n  - {host: a.example, path: /x, redirect_to: b.example}\n  - {host: b.example, path: /x, redirect_to: c.example}\n`,
      ['3:46 domains.0.redirect_to is itself redirected: choose a host that is not redirected'],
    ],
    ['a domain in two spellings', `${APP}domains: [a.example, A.example.]\n`, ['2:22 domains.1 is listed twice']],
    [
      'a header with two spellings',
      `${APP}domains:\n  - {host: a.example, headers: {X-A: "1", x-a: "2"}}\n`,
      ['3:48 domains.0.headers.x-a is listed twice: header names are case-insensitive'],
    ],
    ['a duplicate volume', `${APP}volumes: [/data, /data]\n`, ['2:18 volumes.1 is listed twice']],
    [
      'a reserved variable',
      `${APP}variables: {DAVIT_X: a}\n`,
      ['2:13 the name must not start with “DAVIT_”, which is reserved for variables that Davit sets'],
    ],
    ['a duplicate key', `${APP}app: a/b/c\n`, ['2:1 this key already exists: remove one of the two keys']],
    [
      'a second YAML document',
      `${APP}---\n${APP}`,
      ['2:1 the file contains a second YAML document: write one file for each app'],
    ],
    [
      'a URL, a port and a path instead of a host',
      `${APP}domains:\n  - http://a.example\n  - b.example:80\n  - {host: c.example/x, redirect_to: "d.example/"}\n`,
      ['3:5 domains.0', '4:5 domains.1', '5:12 domains.2.host', '5:38 domains.2.redirect_to'].map(
        (position) =>
          `${position} must be only a host name, such as shop.example.com: for a path or a port, use the keys "path" and "port"`,
      ),
    ],
    ['an empty file', '', ['1:1 the file is empty: add at least the line "app: project/environment/app"']],
    ['a list instead of keys', '- a\n', ['1:1 must be keys with values']],
  ];
  for (const [what, text, expected] of wrong) {
    it(`reports line, column and message for ${what}`, () => assert.deepEqual(mistakesOf(text), expected));
  }

  it('reports the expected form of a value from the environment', () => {
    const [first, second] = mistakesOf(`${APP}variables: {A: {from_en: X}}\n`);

    assert.match(String(first), /variables\.A\.from_env is missing/);
    assert.match(String(second), /did you mean "from_env"/);
  });

  it('reports all mistakes in the order of the lines', () => {
    const lines = mistakesOf(`${APP}scale: 0\nport: 0\nbogus: 1\n`).map((mistake) => mistake.split(':')[0]);

    assert.deepEqual(lines, ['2', '3', '4']);
  });

  it('is refused if too large or with too many aliases', () => {
    assert.match(String(mistakesOf('#'.repeat(MOST_BYTES + 1))[0]), /larger than 256 KiB/);
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefg'.split('').map((key, index) => {
        const before = 'abcdef'[index];
        return `${key}: &${key} [${Array(9).fill(`*${before}`).join(',')}]`;
      }),
    ].join('\n');
    assert.match(String(mistakesOf(bomb)[0]), /too many aliases/);
    assert.match(String(mistakesOf(`${APP}args: *none\n`)[0]), /unresolved alias .*: none/);
  });

  it('shows the line of a mistake with a caret below', () => {
    const text = `${APP}scal: 2\n`;
    const parsed = parseDavitFile(text);

    assert.ok(!parsed.ok && parsed.mistakes[0]);
    assert.equal(
      showMistake('davit.yaml', text, parsed.mistakes[0]),
      ['davit.yaml:2:1: "scal" is not a known key here: did you mean "scale"?', '  2 | scal: 2', '    | ^^^^'].join(
        '\n',
      ),
    );
  });
});
