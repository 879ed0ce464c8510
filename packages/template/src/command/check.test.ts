import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { runCommand } from './run.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../examples/templates');
const VALID = `version: 1
project: hello
apps:
  - key: web
    image: ghcr.io/acme/web
    tag: v1
    health: /healthz
    limits: {}
    domains: [{ host: "\${input.domain}" }]
inputs:
  - { key: domain, type: domain, label: Where it answers }
`;
const BROKEN = VALID.replace('acme/web', 'acme/web:v1');
const WARNED = VALID.replace('    health: /healthz\n', '');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'davit-check-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

async function run(words: string[], { stdin = '', fetch = globalThis.fetch } = {}): Promise<Ran> {
  const ran = { stdout: '', stderr: '' };
  const io = { cwd: folder, stdin: streamOf(stdin), fetch, signal: new AbortController().signal };
  const code = await runCommand(words, io, {
    stdout: (text) => {
      ran.stdout += text;
    },
    stderr: (text) => {
      ran.stderr += text;
    },
    paint: (text) => text,
    width: null,
  });
  return { code, ...ran };
}

async function* streamOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};

describe('a file', () => {
  test('that is fine ends with 0', async () => {
    write('my.yaml', VALID);
    const { code, stdout } = await run(['check', 'my.yaml']);
    assert.deepEqual([code, stdout], [0, 'my.yaml is valid: nothing to say against it.\n']);
  });

  test('that is broken is shown with its line, and ends with 1', async () => {
    write('my.yaml', BROKEN);
    const { code, stdout } = await run(['check', 'my.yaml']);
    assert.equal(code, 1);
    assert.match(stdout, /^my\.yaml:5:\d+: error: .* \[image\.tagged\]\n {3}5 \| {5}image: ghcr\.io\/acme\/web:v1\n/);
    assert.match(stdout, /my\.yaml is refused: 1 error/);
  });

  test('with warnings alone ends with 1 only when it is strict', async () => {
    write('my.yaml', WARNED);
    assert.equal((await run(['check', 'my.yaml'])).code, 0);
    assert.equal((await run(['check', '--strict', 'my.yaml'])).code, 1);
  });

  test('is read from stdin as well', async () => {
    assert.equal((await run(['check', '-'], { stdin: VALID })).stdout, 'stdin is valid: nothing to say against it.\n');
    assert.match((await run(['check', '-'], { stdin: '' })).stdout, /yaml\.empty/);
  });

  test('that is not UTF-8, or far too large, is told as such', async () => {
    writeFileSync(join(folder, 'latin.yaml'), Buffer.from('version: 1 # \xe9\n', 'latin1'));
    writeFileSync(join(folder, 'large.yaml'), Buffer.alloc(20_000_000, 'a'));
    assert.match((await run(['check', 'latin.yaml'])).stdout, /yaml\.encoding/);
    assert.match((await run(['check', 'large.yaml'])).stdout, /yaml\.too-large/);
  });

  test('that is not there ends with 2 and one sentence', async () => {
    const { code, stdout, stderr } = await run(['check', 'no.yaml']);
    assert.deepEqual([code, stdout, stderr], [2, '', 'error: There is no file or folder no.yaml.\n']);
  });
});

describe('a folder', () => {
  test('with a template alone is checked as that file', async () => {
    write('template.yaml', VALID);
    const { code, stdout } = await run(['check']);
    assert.deepEqual([code, stdout], [0, 'template.yaml is valid: nothing to say against it.\n']);
  });

  test('that looks like a repository is checked as a release', async () => {
    write('template.yaml', VALID);
    write('icon.png', 'no picture');
    const { code, stdout } = await run(['check', '.']);
    assert.equal(code, 1);
    assert.match(stdout, /release\.readme-missing/);
    assert.match(stdout, /icon\.not-png/);
    assert.match(stdout, /template\.yaml is refused: 2 errors/);
  });

  test('with a template.yml says to rename it', async () => {
    write('template.yml', VALID);
    const { code, stdout } = await run(['check']);
    assert.equal(code, 1);
    assert.match(stdout, /release\.template-missing/);
    assert.match(stdout, /Rename template\.yml/);
  });

  test('without one stands for every template below it, but for hidden folders, packages and links', async () => {
    for (const path of [
      'b/template.yaml',
      'a/deep/template.yaml',
      '.git/template.yaml',
      'node_modules/x/template.yaml',
    ])
      write(path, VALID);
    symlinkSync(join(folder, 'a'), join(folder, 'c'));
    const { stdout } = await run(['check', '--json', '.']);
    assert.deepEqual(
      JSON.parse(stdout).map(({ file }: { file: string }) => file),
      ['a/deep/template.yaml', 'b/template.yaml'],
    );
  });

  test('without any ends with 2', async () => {
    const { code, stderr } = await run(['check']);
    assert.equal(code, 2);
    assert.equal(stderr, 'error: There is no template.yaml in ., nor in a folder below it.\n');
  });

  test('of the examples finds the one that is broken, and nothing else', async () => {
    cpSync(EXAMPLES, folder, { recursive: true });
    const { code, stdout } = await run(['check', '--json']);
    const files = JSON.parse(stdout) as { file: string; valid: boolean; problems: { code: string }[] }[];
    const refused = files.filter(({ valid }) => !valid);
    assert.deepEqual(
      [code, refused.map(({ file }) => file)],
      [1, ['davit-community/mailpit-template/v1.1.0/template.yaml']],
    );
    assert.ok(refused[0]?.problems.some((problem) => problem.code === 'release.icon-missing'));
  });
});

describe('what is printed for programs', () => {
  test('is one object of a file, with the manifest only where it is valid', async () => {
    write('my.yaml', VALID);
    write('bad.yaml', BROKEN);
    const fine = JSON.parse((await run(['check', '--json', 'my.yaml'])).stdout);
    assert.deepEqual([fine.file, fine.valid, fine.problems, fine.manifest.project], ['my.yaml', true, [], 'hello']);
    const bad = JSON.parse((await run(['check', '--json', 'bad.yaml'])).stdout);
    assert.deepEqual(Object.keys(bad), ['file', 'valid', 'problems']);
    assert.equal(bad.problems[0].code, 'image.tagged');
  });

  test('is a list of several', async () => {
    write('my.yaml', VALID);
    assert.equal(JSON.parse((await run(['check', '--json', 'my.yaml', 'my.yaml'])).stdout).length, 2);
  });

  test('is SARIF when asked for', async () => {
    write('bad.yaml', BROKEN);
    const { code, stdout } = await run(['check', '--sarif', 'bad.yaml']);
    const [result] = JSON.parse(stdout).runs[0].results;
    assert.deepEqual(
      [code, result.ruleId, result.locations[0].physicalLocation.region.startLine],
      [1, 'image.tagged', 5],
    );
  });
});

describe('an address', () => {
  const serve = async (listener: RequestListener, work: (url: string) => Promise<void>) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/template.yaml`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };

  test('is fetched', () =>
    serve(
      (_request, response) => void response.end(BROKEN),
      async (url) => {
        const { code, stdout } = await run(['check', url]);
        assert.equal(code, 1);
        assert.match(stdout, /image\.tagged/);
      },
    ));

  test('that answers no file ends with 2 and says what it answered', () =>
    serve(
      (request, response) => {
        response.statusCode = Number(new URL(request.url ?? '', 'http://x').searchParams.get('status'));
        response.end();
      },
      async (url) => {
        const say = async (status: number) => (await run(['check', `${url}?status=${status}`])).stderr;
        assert.match(await say(404), /^error: There is no file at .*: check the name/);
        assert.match(await say(403), /is not public/);
        assert.match(await say(500), /answered 500/);
      },
    ));

  test('of a web page is told as such', () =>
    serve(
      (_request, response) => void response.setHeader('content-type', 'text/html; charset=utf-8').end('<html>'),
      async (url) => assert.match((await run(['check', url])).stderr, /is a web page, not a file/),
    ));

  test('that never ends is read no further than a template may be', () =>
    serve(
      (_request, response) => {
        const more = () =>
          void (response.write(Buffer.alloc(65_536, 'a')) ? setImmediate(more) : response.once('drain', more));
        more();
      },
      async (url) => assert.match((await run(['check', url])).stdout, /yaml\.too-large/),
    ));

  test('that nobody answers at ends with 2', async () => {
    const { code, stderr } = await run(['check', 'http://127.0.0.1:1/template.yaml']);
    assert.equal(code, 2);
    assert.match(stderr, /could not be reached: /);
  });

  test('of GitHub becomes that of the file itself', async () => {
    const asked: string[] = [];
    const fetch = async (address: string | URL | Request) => {
      asked.push(String(address));
      return new Response(VALID);
    };
    const root = 'https://github.com/acme/hello-template';
    for (const page of ['', '.git', '/tree/main/one', '/blob/v1/a/template.yaml', '/releases/tag/v1.0.0']) {
      assert.equal((await run(['check', `${root}${page}`], { fetch })).code, 0);
    }
    const raw = 'https://raw.githubusercontent.com/acme/hello-template';
    assert.deepEqual(asked, [
      `${raw}/HEAD/template.yaml`,
      `${raw}/HEAD/template.yaml`,
      `${raw}/main/one/template.yaml`,
      `${raw}/v1/a/template.yaml`,
      `${raw}/v1.0.0/template.yaml`,
    ]);
    assert.match((await run(['check', `${root}/issues`], { fetch })).stderr, /shows no file/);
  });
});

describe('the command line', () => {
  test('that makes no sense ends with 2 and says where the help is', async () => {
    for (const words of [['chekc'], ['check', '--jsn'], ['check', '--json', '--sarif'], ['import']]) {
      const { code, stderr } = await run(words);
      assert.equal(code, 2, words.join(' '));
      assert.match(stderr, /^error: .*\n«davit-template --help» says what there is\.\n$/);
    }
  });

  test('is explained', async () => {
    for (const words of [[], ['--help'], ['check', '-h']]) {
      const { code, stdout } = await run(words);
      assert.equal(code, 0);
      assert.match(stdout, /Usage:/);
    }
  });
});
