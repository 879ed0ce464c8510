import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { sampleManifest } from '@davit/testkit/catalog';
import { offeredByCatalog } from '../source/from-catalog.ts';
import { offeredByFile } from '../source/from-file.ts';
import { Catalog } from './catalog.ts';

const COMMIT = 'a'.repeat(40);
const OLDER = 'b'.repeat(40);

const release = (tag: string, commit: string, status = 'accepted') => ({
  ...{ tag, name: tag, url: `https://github.com/acme/shop/releases/tag/${tag}`, commit, status, problems: [] },
  published_at: '2026-01-02T03:04:05Z',
});

const DETAIL = {
  ...{ owner: 'acme', name: 'shop', title: 'Shop', description: '', url: 'https://github.com/acme/shop', stars: 1 },
  ...{ tags: [], avatar_url: 'https://github.com/acme.png', verified: false, readme: '', source: '' },
  icon_url: `https://templates.example.com/api/v1/icons/42/${COMMIT}.png`,
  source_url: `https://raw.githubusercontent.com/acme/shop/${COMMIT}/template.yaml`,
  release: {
    tag: 'v2',
    name: 'v2',
    url: 'https://github.com/acme/shop',
    commit: COMMIT,
    published_at: '2026-01-02T03:04:05Z',
  },
  manifest: sampleManifest('shop'),
};

type Answers = Record<string, () => Response | Promise<Response>>;

/** Returns a catalog with these responses, by the end of the request path. */
function catalogOf(answers: Answers, asked: string[] = []) {
  const fetchFunction = async (url: string) => {
    asked.push(url);
    const end = Object.keys(answers).find((one) => new URL(url).pathname.endsWith(one));
    return end === undefined
      ? Response.json({ error: { code: 'not_found', message: 'No.' } }, { status: 404 })
      : (answers[end] as () => Response)();
  };
  return {
    catalog: new Catalog({ url: () => 'https://templates.example.com/', ask: fetchFunction }),
    ask: fetchFunction,
  };
}

const WELL: Answers = {
  '/templates/acme/shop': () => Response.json(DETAIL),
  '/releases': () =>
    Response.json({ releases: [release('v2', COMMIT), release('v1', OLDER), release('v0', COMMIT, 'rejected')] }),
  '/manifest': () => Response.json(sampleManifest('shop')),
};

describe('a wrong response of the catalog', () => {
  const cases: [string, () => Response | Promise<Response>, RegExp][] = [
    [
      'is refused if it is a redirect',
      () => Response.redirect('https://elsewhere.example.com/', 302),
      /redirects \(HTTP 302\)/,
    ],
    [
      'is refused if it has another content type',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      /“text\/html”/,
    ],
    [
      'is refused if it is not JSON',
      () => new Response('{', { headers: { 'content-type': 'application/json' } }),
      /is not valid JSON/,
    ],
    [
      'is refused if it does not match the schema',
      () => Response.json({ templates: [{}] }),
      /not valid at “templates\.0/,
    ],
    ['is reported with its status', () => Response.json({}, { status: 503 }), /responded with status 503/],
    [
      'is reported with the status of a proxy',
      () => new Response('<html>', { status: 404 }),
      /responded with status 404/,
    ],
    [
      'is reported if the connection fails',
      () => Promise.reject(new TypeError('fetch failed')),
      /^The catalog does not respond/,
    ],
  ];
  for (const [what, answer, reason] of cases) {
    test(what, async () => {
      const { catalog } = catalogOf({ '/templates': answer });
      await assert.rejects(catalog.list({}), { code: 'catalog_unavailable', message: reason });
    });
  }

  test('is refused with duplicate keys, deep nesting or invalid UTF-8', async () => {
    const deep = `{"schema_version":1,"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const bodies = [
      '{"schema_version":1,"schema_version":1}',
      deep,
      '{"__proto__":{}}',
      Buffer.from([0x7b, 0xff, 0x7d]),
    ];
    for (const body of bodies) {
      const { catalog } = catalogOf({
        '/manifest': () => new Response(body, { headers: { 'content-type': 'application/json' } }),
      });
      await assert.rejects(catalog.manifest('acme', 'shop', 'v2'), {
        code: 'catalog_unavailable',
        message: /^The catalog sent a response that is not valid\. The body [^:]+\. Check/,
      });
    }
  });

  test('is refused if the body never ends', async () => {
    const endless = new ReadableStream<Uint8Array>({ pull: (to) => to.enqueue(new Uint8Array(64 * 1024)) });
    const { catalog } = catalogOf({
      '/manifest': () => new Response(endless, { headers: { 'content-type': 'application/json' } }),
    });
    await assert.rejects(catalog.manifest('acme', 'shop', 'v2'), {
      code: 'catalog_unavailable',
      message: /more than 1024 KiB/,
    });
  });

  test('is reported for an instance without a template catalog', async () => {
    const none = new Catalog({ url: () => null });
    await assert.rejects(async () => none.list({}), {
      code: 'catalog_unavailable',
      message: /The instance has no template catalog/,
    });
  });
});

describe('installation of a catalog template', () => {
  test('uses the commit from the list of releases', async () => {
    const { catalog } = catalogOf(WELL);
    const { origin, title } = await offeredByCatalog(catalog, { owner: 'acme', name: 'shop', release: 'v1' }, null);
    assert.equal(title, 'Shop');
    assert.deepEqual([origin.release, origin.commit, origin.repository_id], ['v1', OLDER, '42']);
  });

  test('uses the listed release if the request names no release', async () => {
    const { catalog } = catalogOf(WELL);
    const { origin } = await offeredByCatalog(catalog, { owner: 'acme', name: 'shop' }, null);
    assert.equal(origin.release, 'v2');
  });

  test('refuses a rejected release and an unknown release', async () => {
    const { catalog } = catalogOf(WELL);
    for (const tag of ['v0', 'v9']) {
      await assert.rejects(offeredByCatalog(catalog, { owner: 'acme', name: 'shop', release: tag }, null), {
        code: 'not_found',
      });
    }
  });

  test('refuses a manifest with fields that no file can have', async () => {
    const { catalog } = catalogOf({
      ...WELL,
      '/manifest': () => Response.json({ ...sampleManifest('shop'), privileged: true }),
    });
    await assert.rejects(offeredByCatalog(catalog, { owner: 'acme', name: 'shop' }, null), {
      code: 'template_invalid',
      message: /privileged/,
    });
  });

  const FILE = 'version: 1\nproject: shop\napps:\n  - {key: web, image: ghcr.io/acme/web, tag: "1.0", port: 80}\n';
  const verified = (file: string) => {
    const asked: string[] = [];
    const { catalog, ask: fetchFunction } = catalogOf({ ...WELL, '/template.yaml': () => new Response(file) }, asked);
    const from = { owner: 'acme', name: 'shop', release: 'v1' };
    return { asked, offered: offeredByCatalog(catalog, from, fetchFunction) };
  };

  test('compares the manifest with the file of the same commit', async () => {
    const { asked, offered } = verified(FILE);
    assert.equal((await offered).origin.commit, OLDER);
    assert.ok(asked.includes(`https://raw.githubusercontent.com/acme/shop/${OLDER}/template.yaml`));
  });

  test('refuses to fetch the file from another repository or host', async () => {
    const lies = [
      { source_url: `https://evil.example.com/acme/shop/${COMMIT}/template.yaml` },
      { source_url: `http://169.254.169.254/${COMMIT}/template.yaml` },
      { source_url: `https://raw.githubusercontent.com/evil/shop/${COMMIT}/template.yaml` },
      { owner: 'evil', source_url: `https://raw.githubusercontent.com/evil/shop/${COMMIT}/template.yaml` },
      { url: 'https://github.com/evil/shop' },
    ];
    for (const lie of lies) {
      const asked: string[] = [];
      const detail = () => Response.json({ ...DETAIL, ...lie });
      const answers = { ...WELL, '/templates/acme/shop': detail, '/template.yaml': () => new Response(FILE) };
      const { catalog, ask: fetchFunction } = catalogOf(answers, asked);
      await assert.rejects(offeredByCatalog(catalog, { owner: 'acme', name: 'shop' }, fetchFunction), {
        code: 'template_invalid',
      });
      assert.deepEqual(
        asked.filter((url) => url.endsWith('/template.yaml')),
        [],
      );
    }
  });

  test('refuses a catalog entry for a different repository', async () => {
    for (const lie of [{ owner: 'evil' }, { name: 'other' }]) {
      const { catalog } = catalogOf({ ...WELL, '/templates/acme/shop': () => Response.json({ ...DETAIL, ...lie }) });
      await assert.rejects(offeredByCatalog(catalog, { owner: 'acme', name: 'shop' }, null), {
        code: 'template_invalid',
        message: /different repository than the requested acme\/shop/,
      });
    }
  });

  test('refuses an invalid commit id from the catalog', async () => {
    for (const commit of ['main', '', `${COMMIT}/../${OLDER}`, COMMIT.toUpperCase()]) {
      const releases = () => Response.json({ releases: [release('v2', commit)] });
      const { catalog } = catalogOf({ ...WELL, '/releases': releases });
      await assert.rejects(offeredByCatalog(catalog, { owner: 'acme', name: 'shop' }, null), {
        code: 'template_invalid',
        message: /as a commit, but this is not a valid commit id/,
      });
    }
  });

  test('refuses a manifest that differs from template.yaml', async () => {
    await assert.rejects(verified(FILE.replace('"1.0"', '"2.0"')).offered, {
      code: 'template_invalid',
      message: /differs from template\.yaml/,
    });
  });
});

describe('template without a catalog', () => {
  test('is read from the raw file URL of the Git host', async () => {
    const asked: string[] = [];
    const fetchFunction = async (url: string) => {
      asked.push(url);
      return new Response('version: 1\nproject: shop\napps:\n  - {key: web, image: acme/web, port: 80}\n');
    };
    for (const repository of [
      'https://github.com/acme/shop',
      'https://gitlab.com/acme/tools/shop.git',
      'https://git.example.com/raw/template.yaml',
    ]) {
      const { origin } = await offeredByFile({ repository, ref: 'v1.2.0' }, fetchFunction);
      assert.deepEqual([origin.kind, origin.repository, origin.release], ['repository', repository, 'v1.2.0']);
    }
    assert.deepEqual(asked, [
      'https://raw.githubusercontent.com/acme/shop/v1.2.0/template.yaml',
      'https://gitlab.com/acme/tools/shop/-/raw/v1.2.0/template.yaml',
      'https://git.example.com/raw/template.yaml',
    ]);
  });

  test('is refused on an unknown host or without a template.yaml', async () => {
    const absent = async () => new Response('', { status: 404 });
    await assert.rejects(offeredByFile({ repository: 'https://git.example.com/acme/shop', ref: 'HEAD' }, absent), {
      code: 'invalid_input',
    });
    await assert.rejects(offeredByFile({ repository: 'https://github.com/acme/shop', ref: 'v9' }, absent), {
      code: 'invalid_input',
      message: /has no template\.yaml at v9/,
    });
  });
});
