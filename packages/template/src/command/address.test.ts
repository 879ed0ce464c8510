import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { runIn, VALID } from '../../test/support/command.ts';

const BROKEN = VALID.replace('acme/web', 'acme/web:v1');
const run = (words: string[], options: { fetch?: typeof globalThis.fetch } = {}) => runIn('/', words, options);

describe('check of a URL', () => {
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

  test('downloads the template and reports its problems', () =>
    serve(
      (_request, response) => void response.end(BROKEN),
      async (url) => {
        const { code, stdout } = await run(['check', url]);
        assert.equal(code, 1);
        assert.match(stdout, /image\.tagged/);
      },
    ));

  test('reports HTTP error statuses with matching messages', () =>
    serve(
      (request, response) => {
        response.statusCode = Number(new URL(request.url ?? '', 'http://x').searchParams.get('status'));
        response.end();
      },
      async (url) => {
        const say = async (status: number) => (await run(['check', `${url}?status=${status}`])).stderr;
        assert.match(await say(404), /^error: No file was found at .*\. Check the address/);
        assert.match(await say(403), /is not public/);
        assert.match(await say(500), /returned status 500/);
      },
    ));

  test('reports a web page instead of a template file', () =>
    serve(
      (_request, response) => void response.setHeader('content-type', 'text/html; charset=utf-8').end('<html>'),
      async (url) => assert.match((await run(['check', url])).stderr, /is a web page, not a file/),
    ));

  test('stops reading an endless response at the size limit', () =>
    serve(
      (_request, response) => {
        const more = () =>
          void (response.write(Buffer.alloc(65_536, 'a')) ? setImmediate(more) : response.once('drain', more));
        more();
      },
      async (url) => assert.match((await run(['check', url])).stdout, /yaml\.too-large/),
    ));

  test('exits with code 2 if the server is unreachable', async () => {
    const { code, stderr } = await run(['check', 'http://127.0.0.1:1/template.yaml']);
    assert.equal(code, 2);
    assert.match(stderr, /could not be reached: /);
  });

  test('converts GitHub page URLs to URLs of the raw file', async () => {
    const requestedUrls: string[] = [];
    const fetch = async (address: string | URL | Request) => {
      requestedUrls.push(String(address));
      return new Response(VALID);
    };
    const root = 'https://github.com/acme/hello-template';
    for (const page of ['', '.git', '/tree/main/one', '/blob/v1/a/template.yaml', '/releases/tag/v1.0.0']) {
      assert.equal((await run(['check', `${root}${page}`], { fetch })).code, 0);
    }
    const raw = 'https://raw.githubusercontent.com/acme/hello-template';
    assert.deepEqual(requestedUrls, [
      `${raw}/HEAD/template.yaml`,
      `${raw}/HEAD/template.yaml`,
      `${raw}/main/one/template.yaml`,
      `${raw}/v1/a/template.yaml`,
      `${raw}/v1.0.0/template.yaml`,
    ]);
    assert.match((await run(['check', `${root}/issues`], { fetch })).stderr, /does not name a file/);
  });
});
