/** Identity of a program that requests access: its description, fetched from a URL that strangers provide. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, describe, it } from 'node:test';
import { isPublicAddress } from '@davit/service';
import { startClientHost } from '@davit/testkit';
import { createClientDocuments } from '../../src/auth/oauth/client-document.ts';
import { readRequest } from '../../src/auth/oauth/request.ts';

const CALLBACK = 'http://127.0.0.1/callback';

describe('OAuth client metadata', async () => {
  const host = await startClientHost();
  after(() => host[Symbol.asyncDispose]());
  let at = 0;
  const read = createClientDocuments(() => at, { ca: host.ca, mayAsk: () => true });
  const refused = (id: string, why: RegExp) => assert.rejects(read(id), { code: 'invalid_input', message: why });

  it('is fetched from its URL and cached for ten minutes', async () => {
    const id = host.describe('/editor.json', { client_name: 'Editor', redirect_uris: [CALLBACK] });

    assert.deepEqual(await read(id), { id, name: 'Editor', redirectUris: [CALLBACK] });
    await read(id);
    assert.equal(host.asked.filter((path) => path === '/editor.json').length, 1);
    at += 600_001;
    await read(id);
    assert.equal(host.asked.filter((path) => path === '/editor.json').length, 2);
  });

  it('is shown with its host if unnamed and with a sanitized name otherwise', async () => {
    const unnamed = host.describe('/unnamed.json', { redirect_uris: [CALLBACK] });
    const name = 'Dav\u202eit\nAdmin\u3164\ud800';
    const tricky = host.describe('/tricky.json', { client_name: name, redirect_uris: [CALLBACK] });

    assert.equal((await read(unnamed)).name, new URL(host.url).host);
    assert.equal((await read(tricky)).name, 'Dav it Admin');
  });

  it('needs an HTTPS URL with a normalized path', async () => {
    const odd = [
      '',
      'editor',
      'http://localhost/a.json',
      `${host.url}/`,
      host.url,
      `${host.url}/a/../b.json`,
      `${host.url}/a#b`,
    ];
    for (const id of [
      ...odd,
      host.url.replace('//', '//me:secret@').concat('/a.json'),
      `${host.url}/${'a'.repeat(3_000)}`,
    ]) {
      await refused(id, /client_id/);
    }
  });

  it('is refused if the document is not valid, too large or not JSON', async () => {
    const json = { 'content-type': 'application/json' };
    const documentAt = (path: string, text: string, status = 200) =>
      host.answer(path, (_, response) => void response.writeHead(status, json).end(text));

    await refused(
      host.describe('/other.json', { client_id: 'https://example.com/x.json', redirect_uris: [CALLBACK] }),
      /must contain the same “client_id” URL as the request/,
    );
    await refused(documentAt('/text.json', 'hello'), /not JSON/);
    await refused(documentAt('/list.json', '[]'), /must have/);
    await refused(host.describe('/none.json', { redirect_uris: [] }), /must have/);
    await refused(
      host.describe('/secret.json', { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'private_key_jwt' }),
      /secret/,
    );
    await refused(documentAt('/large.json', ' '.repeat(11 * 1024)), /larger/);
    await refused(`${host.url}/nothing.json`, /404/);
    for (const type of ['text/plain; charset=utf-8', 'text/html', 'application/jsonp', 'image/svg+json', '']) {
      const path = `/type-${encodeURIComponent(type)}.json`;
      const document = JSON.stringify({ client_id: `${host.url}${path}`, redirect_uris: [CALLBACK] });
      const uploaded = host.answer(path, (_, response) => {
        response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(document);
      });
      await refused(uploaded, /does not have the type “application\/json”/);
    }
    const moved = host.answer('/moved.json', (_, response) => {
      response.writeHead(302, { location: `${host.url}/editor.json` }).end();
    });
    await refused(moved, /302/);
    await refused(
      host.answer('/cut.json', (request) => void request.socket.destroy()),
      /could not be read/,
    );
    const other = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';
    await refused(
      host.answer('/upgrade.json', (_, response) => void response.socket?.write(other)),
      /could not be read/,
    );
  });

  it('is refused with redirect URIs other than HTTPS or loopback', async () => {
    const uris = [
      'javascript:alert(1)',
      'http://example.com/cb',
      'editor://cb',
      'https://a@example.com/cb',
      'https://example.com/#x',
      'data:,x',
    ];
    for (const [i, uri] of uris.entries()) {
      await refused(host.describe(`/uri-${i}.json`, { redirect_uris: [uri] }), /http URLs of localhost/);
    }
  });

  it('is fetched only from public addresses', async () => {
    const careful = createClientDocuments(() => 0, { ca: host.ca, mayAsk: isPublicAddress });
    const { port } = new URL(host.url);
    const before = host.asked.length;
    for (const name of ['localhost', '127.0.0.1', '[::1]', '169.254.169.254', '[::ffff:a00:1]']) {
      await assert.rejects(careful(`https://${name}:${port}/editor.json`), {
        message: /private address|has a public address/,
      });
    }
    assert.equal(host.asked.length, before);
  });

  it('is refused with the same message for every connection failure', async () => {
    const closed = createServer();
    const plain = createServer((socket) => socket.end('220 mail.example ESMTP\r\n').on('error', () => undefined));
    const [free, open] = await Promise.all([closed, plain].map(portOf));
    closed.close();
    const strict = createClientDocuments(() => 0, { mayAsk: () => true });
    const sentences = await Promise.all([
      ...[free, open].map((port) => messageOf(read(`https://localhost:${port}/editor.json`))),
      // The certificate is from an authority that is not trusted.
      messageOf(strict(`${host.url}/editor.json`)),
      messageOf(strict('https://editor.invalid/editor.json')),
      messageOf(createClientDocuments(() => 0, { mayAsk: () => false })(`${host.url}/editor.json`)),
    ]);
    plain.close();

    assert.equal(
      new Set(sentences.map((text) => text.replace(/ at \S+ could/, ' could'))).size,
      1,
      sentences.join('\n'),
    );
    assert.match(sentences[0] ?? '', /could not be read.*public address and a trusted certificate/);
  });
});

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, 'localhost'), 'listening');
  return (server.address() as AddressInfo).port;
}

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => assert.fail('it was read'),
    ({ message }: Error) => message,
  );

describe('OAuth authorization request', () => {
  const base = 'https://davit.test';
  const client = {
    id: 'https://editor.example/client.json',
    name: 'Editor',
    redirectUris: [CALLBACK, 'https://editor.example/cb'],
  };
  const good = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: CALLBACK,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 's',
    resource: `${base}/mcp`,
  };
  const readFields = (fields: object) => {
    const all = Object.entries({ ...good, ...fields }).filter(([, value]) => value !== undefined);
    return readRequest(`?${new URLSearchParams(all as [string, string][])}`, base, async () => client);
  };

  it('is accepted with a registered redirect URI at any loopback port', async () => {
    assert.equal((await readFields({})).role, 'viewer');
    assert.equal((await readFields({ scope: 'read operate openid' })).role, 'member');
    assert.equal((await readFields({ scope: 'administer' })).role, 'admin');
    assert.equal(
      (await readFields({ redirect_uri: 'http://127.0.0.1:49152/callback' })).redirectUri,
      'http://127.0.0.1:49152/callback',
    );
    assert.equal((await readFields({ resource: undefined })).resource, `${base}/mcp`);
  });

  it('is refused with a specific message if a parameter is not valid', async () => {
    const wrong: [object, RegExp][] = [
      [{ redirect_uri: 'https://evil.example/cb' }, /not in the client metadata/],
      [{ redirect_uri: 'https://editor.example/cb/' }, /not in the client metadata/],
      [{ redirect_uri: 'https://editor.example:444/cb' }, /not in the client metadata/],
      [{ redirect_uri: 'http://localhost/callback' }, /not in the client metadata/],
      [{ redirect_uri: `${CALLBACK}?` }, /not in the client metadata/],
      [{ redirect_uri: ` ${CALLBACK}` }, /not in the client metadata/],
      [{ redirect_uri: CALLBACK.replace('http:', 'HTTP:') }, /not in the client metadata/],
      [{ redirect_uri: CALLBACK.replace('/callback', ':9/call\tback') }, /not in the client metadata/],
      [{ redirect_uri: CALLBACK.replace('/callback', ':9\\@evil.example/callback') }, /not in the client metadata/],
      [{ redirect_uri: CALLBACK.replace('/callback', ':99999/callback') }, /not in the client metadata/],
      [{ redirect_uri: undefined }, /redirect_uri/],
      [{ response_type: 'token' }, /response_type/],
      [{ code_challenge_method: 'plain' }, /S256/],
      [{ code_challenge_method: undefined }, /code_challenge_method/],
      [{ code_challenge: 'short' }, /code_challenge/],
      [{ code_challenge: undefined }, /code_challenge/],
      [{ client_id: undefined }, /client_id/],
      [{ resource: 'https://other.test/mcp' }, /must be .*\/mcp, but is/],
    ];
    for (const [fields, why] of wrong) {
      await assert.rejects(readFields(fields), { code: 'invalid_input', message: why }, JSON.stringify(fields));
    }
    const twice = `${new URLSearchParams(good)}&redirect_uri=https://evil.example`;
    await assert.rejects(
      readRequest(twice, base, async () => client),
      { message: /more than once/ },
    );
  });
});
