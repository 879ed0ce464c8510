/**
 * The contract's sentences about the catalog, each a test under its own words: what it says is proven here directly, on
 * a booted catalog, whatever else proves it elsewhere. Sentences that say that something is not fixed have no test.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  allCatalogOperations,
  type CatalogDetail,
  type CatalogPage,
  type CatalogReleases,
} from '@davit/api/catalog.ts';
import { type Answer, bootCatalog, sampleManifest } from '@davit/testkit/catalog';
import type { PassOutcome } from '../src/indexer/indexer.ts';
import { runPasses } from '../src/indexer/loop.ts';
import { makePng } from './support/png.ts';

const catalog = await bootCatalog({
  settings: { url: 'https://templates.example.com/', verifiedOwners: 'acme,globex' },
});
after(() => catalog[Symbol.asyncDispose]());

const ICON = makePng({ side: 128 });
const REFUSAL = { severity: 'error', code: 'yaml.syntax', message: 'It is not YAML.', path: [], line: 3 } as const;
const ADVICE = { severity: 'warning', code: 'advice.no-health', message: 'It has none.', path: ['apps', 0] } as const;
const SOURCE = '# as written\r\nversion: 1\nproject: kuma\n';
const [kuma] = catalog.add(
  {
    ...{ id: 77, owner: 'acme', name: 'cubeship-uptime-kuma-template', description: 'Watches what you run', stars: 50 },
    ...{ topics: ['davit-template', 'monitoring', 'status-page'] },
    releases: [
      { tag: 'v1', publishedAt: '2026-02-01T00:00:00Z', name: 'The first', problems: [ADVICE] },
      { tag: 'v2', publishedAt: '2026-03-01T10:20:30Z', source: SOURCE, readme: '# Kuma\n', icon: ICON },
      {
        ...{ tag: 'v3', publishedAt: '2026-04-01T00:00:00Z', rejected: true },
        problems: [REFUSAL],
      },
    ],
  },
  { owner: 'umbrella', name: 'vault', description: 'Keeps secrets', stars: 90, topics: ['davit-template', 'security'] },
  { owner: 'Globex', name: 'second' },
  { owner: 'hooli', name: 'nowhere', topics: ['unlisted'], releases: [{ rejected: true }] },
  // The last of every page, and more of them than one has.
  ...Array.from({ length: 50 }, () => ({ owner: 'stark', releases: [{ publishedAt: '2020-01-01T00:00:00Z' }] })),
);
const PATH = '/templates/acme/cubeship-uptime-kuma-template';
const page = () => catalog.read<CatalogPage>('/templates');
const detail = () => catalog.read<CatalogDetail>(PATH);
const releases = async () => (await catalog.read<CatalogReleases>(`${PATH}/releases`)).releases;
const codeOf = ({ text }: Answer) => (JSON.parse(text) as { error: { code: string } }).error.code;
const itemNamed = async (name: string) => (await page()).templates.find((one) => one.name === name);

describe('What the service does', () => {
  it('The catalog API lets a program read the template catalog: listings, one template, its releases and the manifest an instance installs.', async () => {
    for (const path of ['/templates', PATH, `${PATH}/releases`, `${PATH}/manifest`])
      assert.equal((await catalog.get(path)).status, 200, path);
  });

  it('It is readable as JSON without a key and from any origin.', async () => {
    const { status, headers, text } = await catalog.get('/templates', { origin: 'https://elsewhere.example' });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.ok(JSON.parse(text));
  });
});

describe('Catalog: template listing item', () => {
  const fields: [name: string, type: string, notes: string, value: unknown][] = [
    ['owner', 'string', 'repository owner', 'acme'],
    ['name', 'string', 'repository name', 'cubeship-uptime-kuma-template'],
    ['title', 'string', 'display title', 'Uptime Kuma'],
    ['description', 'string', '', 'Watches what you run'],
    [
      ...(['url', 'string (URL)', 'repository address on the source-hosting site'] as const),
      'https://github.com/acme/cubeship-uptime-kuma-template',
    ],
    ['stars', 'integer', '', 50],
    ['tags', 'array of string', 'repository topics', ['monitoring', 'status-page']],
    ['avatar_url', 'string (URL)', 'owner avatar', 'https://github.com/acme.png'],
  ];
  for (const [name, type, notes, value] of fields)
    it(`${name}, ${type}${notes && `: ${notes}`}`, async () => {
      const item = await itemNamed('cubeship-uptime-kuma-template');
      assert.deepEqual((item as Record<string, unknown> | undefined)?.[name], value);
    });

  it('icon_url, string (URL): `{catalog_url}/api/v1/icons/{repository}/{commit}.png`', async () => {
    const item = await itemNamed('cubeship-uptime-kuma-template');
    const commit = kuma?.releases[1]?.commit;
    assert.equal(item?.icon_url, `https://templates.example.com/api/v1/icons/77/${commit}.png`);
  });

  it('verified, boolean: true when the owner is one of a fixed set of two owners the catalog vouches for', async () => {
    const verified = (await page()).templates.map(({ owner, verified: is }) => [owner, is] as const);
    const { acme, Globex, umbrella, stark } = Object.fromEntries(verified);
    assert.deepEqual([acme, Globex, umbrella, stark], [true, true, false, false]);
    await assert.rejects(bootCatalog({ settings: { verifiedOwners: 'acme,globex,umbrella' } }), /at most two owners/);
  });

  it('release, object: the listed (latest) release', async () => {
    assert.equal((await itemNamed('cubeship-uptime-kuma-template'))?.release.tag, 'v2');
  });
});

describe('Catalog: release object inside a listing', () => {
  const values = {
    tag: 'v2',
    name: 'Release v2',
    'url (release page)': 'https://github.com/acme/cubeship-uptime-kuma-template/releases/tag/v2',
    'commit (commit identifier of the release)': kuma?.releases[1]?.commit,
    'published_at (ISO 8601 UTC timestamp)': '2026-03-01T10:20:30Z',
  };
  for (const [field, value] of Object.entries(values))
    it(field, async () => {
      const release = (await itemNamed('cubeship-uptime-kuma-template'))?.release as Record<string, string> | undefined;
      assert.equal(release?.[field.split(' ')[0] ?? ''], value);
    });
});

describe('Catalog: template detail', () => {
  it('All listing fields plus:', async () => {
    const { readme, source, source_url, manifest, ...listed } = await detail();
    assert.deepEqual(listed, await itemNamed('cubeship-uptime-kuma-template'));
    assert.ok(readme && source && source_url && manifest);
  });

  it("readme: the template's readme text", async () => assert.equal((await detail()).readme, '# Kuma\n'));

  it('source: the `template.yaml` exactly as written', async () => assert.equal((await detail()).source, SOURCE));

  it("source_url: that file on the source-hosting site at the release's commit", async () => {
    const { source_url, release } = await detail();
    const path = `acme/cubeship-uptime-kuma-template/${release.commit}/template.yaml`;
    assert.equal(source_url, `https://raw.githubusercontent.com/${path}`);
  });

  it('manifest: the file normalized: names filled in, defaults applied, internal hostnames spelled out', async () => {
    const { manifest } = await detail();
    assert.deepEqual(manifest, sampleManifest());
    assert.equal(manifest.apps[0]?.internal_host, 'web.production.sample.internal');
  });
});

describe('Catalog: release entries (releases list), and their states', () => {
  it('Each entry has `status` (`accepted` or `rejected`) and `problems` (the diagnostics that refused the release, or the advice that did not refuse it).', async () => {
    assert.deepEqual(
      (await releases()).map(({ tag, status, problems }) => [tag, status, problems]),
      [
        ['v3', 'rejected', [REFUSAL]],
        ['v2', 'accepted', []],
        ['v1', 'accepted', [ADVICE]],
      ],
    );
  });

  it('accepted: the release was read and passed', async () => {
    assert.equal((await catalog.get(`${PATH}/manifest?release=v1`)).status, 200);
  });

  it('rejected: the release was refused because of diagnostics', async () => {
    const [refused] = await releases();
    assert.deepEqual([refused?.status, refused?.problems], ['rejected', [REFUSAL]]);
    assert.equal((await catalog.get(`${PATH}/manifest?release=v3`)).status, 404);
  });
});

describe('Catalog: error object', () => {
  it('`{ "error": { "code": <string>, "message": <string> } }`', async () => {
    const { text } = await catalog.get('/templates?limit=0');
    const { error, ...more } = JSON.parse(text);
    assert.deepEqual([Object.keys(error), more], [['code', 'message'], {}]);
    assert.deepEqual([typeof error.code, typeof error.message], ['string', 'string']);
  });
});

describe('Catalog API (base `{catalog_url}/api/v1`), all GET, no key, any origin', () => {
  it('all GET: what is there beside the six routes of the contract is an addition', async () => {
    const paths = allCatalogOperations.filter(({ method }) => method === 'GET').map(({ path }) => path);
    assert.deepEqual(paths.slice(0, 6), [
      '/templates',
      '/templates/{owner}/{name}',
      '/templates/{owner}/{name}/manifest',
      '/templates/{owner}/{name}/releases',
      '/tags',
      '/icons/{repository}/{commit}.png',
    ]);
    const icon = `/icons/77/${kuma?.releases[1]?.commit}.png`;
    for (const path of ['/templates', PATH, `${PATH}/manifest`, `${PATH}/releases`, '/tags', icon]) {
      assert.equal((await catalog.get(path)).status, 200, path);
      assert.equal((await catalog.send({ method: 'POST', path: `/api/v1${path}` })).status, 405, path);
    }
  });

  it('`/templates`: `{ templates: [listing item], next_cursor: string or null }`', async () => {
    assert.deepEqual(Object.keys(await page()), ['templates', 'next_cursor']);
    assert.equal((await catalog.read<CatalogPage>('/templates?q=secrets')).next_cursor, null);
    assert.equal(typeof (await catalog.read<CatalogPage>('/templates?limit=1')).next_cursor, 'string');
  });

  it('`/templates/{owner}/{name}`: template detail', async () => assert.equal((await detail()).owner, 'acme'));

  it('`/templates/{owner}/{name}/manifest`: the manifest alone; this is what an instance reads', async () => {
    assert.deepEqual(await catalog.read(`${PATH}/manifest`), sampleManifest());
  });

  it('`release` (release tag; without it the listed release is used)', async () => {
    catalog.add({
      ...{ owner: 'initech', name: 'two' },
      releases: [
        { tag: 'old', publishedAt: '2025-01-01T00:00:00Z', manifest: sampleManifest('old') },
        { tag: 'new', publishedAt: '2025-02-01T00:00:00Z', manifest: sampleManifest('new') },
      ],
    });
    const project = async (query: string) =>
      (await catalog.read<CatalogDetail['manifest']>(`/templates/initech/two/manifest${query}`)).project;
    assert.deepEqual(await Promise.all(['', '?release=', '?release=old', '?release=new'].map(project)), [
      'new',
      'new',
      'old',
      'new',
    ]);
  });

  it('`/templates/{owner}/{name}/releases`: every release the catalog read, newest first, each with `status` and `problems`', async () => {
    assert.deepEqual(
      (await releases()).map(({ tag }) => tag),
      ['v3', 'v2', 'v1'],
    );
    catalog.add({ owner: 'acme', name: 'many', releases: Array.from({ length: 120 }, (_, i) => ({ tag: `v${i}` })) });
    const all = await catalog.read<CatalogReleases>('/templates/acme/many/releases');
    assert.equal(all.releases.length, 120);
  });

  it('`/tags`: every topic carried by a listed template', async () => {
    const { tags } = await catalog.read<{ tags: string[] }>('/tags');
    assert.deepEqual(tags, ['monitoring', 'security', 'status-page']);
  });

  it('`/icons/{repository}/{commit}.png`: the icon image that `icon_url` points at', async () => {
    const { icon_url } = await detail();
    const response = await fetch(icon_url.replace('https://templates.example.com', catalog.url));
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(ICON));
  });
});

describe('Query parameters of `/templates`', () => {
  it('q, string: matches repository name or description', async () => {
    assert.deepEqual(await catalog.list('?q=UPTIME%20kuma'), ['acme/cubeship-uptime-kuma-template']);
    assert.deepEqual(await catalog.list('?q=watches'), ['acme/cubeship-uptime-kuma-template']);
    for (const other of ['acme', 'monitoring', 'Release'])
      assert.deepEqual(await catalog.list(`?q=${other}`), [], 'nothing else is looked into');
  });

  it("tag, string: one of the repository's topics", async () => {
    assert.deepEqual(await catalog.list('?tag=security'), ['umbrella/vault']);
    assert.deepEqual(await catalog.list('?tag=secur'), []);
    assert.deepEqual(await catalog.list('?tag=Security'), []);
  });

  it('sort, enum `recent`, `stars`: default `recent` (newest release first)', async () => {
    const dates = (await page()).templates.map(({ release }) => release.published_at);
    assert.deepEqual(dates, dates.toSorted().reverse());
    assert.deepEqual(await catalog.list('?sort=recent'), await catalog.list());
    assert.equal((await catalog.list('?sort=stars'))[0], 'umbrella/vault');
    assert.equal((await catalog.get('/templates?sort=name')).status, 400);
  });

  it('limit, integer: 1 to 48; default 24', async () => {
    assert.equal((await catalog.list()).length, 24);
    for (const limit of [1, 2, 24, 47, 48]) assert.equal((await catalog.list(`?limit=${limit}`)).length, limit);
    for (const limit of ['0', '49', '1.5', 'all'])
      assert.equal((await catalog.get(`/templates?limit=${limit}`)).status, 400);
  });

  it("cursor, string: the previous page's `next_cursor`", async () => {
    const first = await catalog.read<CatalogPage>('/templates?limit=2');
    const second = await catalog.read<CatalogPage>(`/templates?limit=2&cursor=${first.next_cursor}`);
    const both = [...first.templates, ...second.templates].map(({ owner, name }) => `${owner}/${name}`);
    assert.deepEqual(both, await catalog.list('?limit=4'));
  });

  it('`next_cursor` is null when no next page is indicated.', async () => {
    const whole = await catalog.read<CatalogPage>('/templates?q=secrets&limit=1');
    assert.deepEqual([whole.templates.length, whole.next_cursor], [1, null]);
    let last = await catalog.read<CatalogPage>('/templates?limit=48');
    while (last.next_cursor !== null) last = await catalog.read(`/templates?limit=48&cursor=${last.next_cursor}`);
    assert.equal(last.templates.at(-1)?.owner, 'stark');
  });
});

describe('Authentication', () => {
  it('Catalog API: no key required; readable from any origin.', async () => {
    const { headers } = await catalog.get(PATH, { origin: 'null' });
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.has('access-control-allow-credentials'), false);
  });
});

describe('Errors', () => {
  it('Errors are JSON in the error object shape above.', async () => {
    for (const path of ['/nowhere', '/templates?limit=0', '/templates/acme/none', '/icons/1/0000000.png']) {
      const { headers, text } = await catalog.get(path);
      assert.equal(headers.get('content-type'), 'application/json', path);
      assert.deepEqual(Object.keys(JSON.parse(text).error), ['code', 'message'], path);
    }
  });

  it('invalid_query: 400', async () => {
    const answer = await catalog.get('/templates?sort=worst');
    assert.deepEqual([answer.status, codeOf(answer)], [400, 'invalid_query']);
  });

  it('not_found: 404', async () => {
    for (const path of ['/templates/acme/none', '/templates/hooli/nowhere', '/nothing']) {
      const answer = await catalog.get(path);
      assert.deepEqual([answer.status, codeOf(answer)], [404, 'not_found'], path);
    }
  });

  it('unavailable: 503', async () => {
    await using empty = await bootCatalog({ published: false });
    const answer = await empty.get('/templates');
    assert.deepEqual([answer.status, codeOf(answer)], [503, 'unavailable']);
  });
});

describe('Limits', () => {
  it('`limit` on template listing: 1 to 48, default 24', async () => {
    const sizes = await Promise.all(
      ['', '?limit=1', '?limit=48'].map(async (query) => (await catalog.list(query)).length),
    );
    assert.deepEqual(sizes, [24, 1, 48]);
    for (const limit of [0, 49])
      assert.equal(codeOf(await catalog.get(`/templates?limit=${limit}`)), 'invalid_query', String(limit));
  });

  it('Catalog response caching: responses cached for one minute', async () => {
    for (const path of [
      '/templates',
      PATH,
      `${PATH}/manifest`,
      `${PATH}/manifest?release=v1`,
      `${PATH}/releases`,
      '/tags',
    ])
      assert.equal((await catalog.get(path)).headers.get('cache-control'), 'public, max-age=60', path);
  });

  it('Catalog refresh: the catalog itself changes at most every five minutes', async () => {
    await assert.rejects(bootCatalog({ settings: { intervalS: '299' } }), /must be whole seconds from 300/);
    assert.equal(catalog.catalog.config.intervalS, 300);

    const stopping = new AbortController();
    const begun: number[] = [];
    const passOnce = async (): Promise<PassOutcome> => {
      if (begun.push(performance.now()) === 3) stopping.abort();
      const counts = { repositories: 0, accepted: 0, rejected: 0, hidden: 0, failed: 0 };
      return { index: 1, report: { startedAt: '', finishedAt: '', ...counts, error: null } };
    };
    await runPasses({ indexer: { passOnce }, intervalS: 0.05, signal: stopping.signal, onPass: () => undefined });
    const [first = 0, , third = 0] = begun;
    // Timers may be early by a part of a millisecond.
    assert.ok(third - first > 98, 'no pass begins before its time');
  });

  it('Icon caching: cached forever (the commit is in the address)', async () => {
    const commit = kuma?.releases[1]?.commit;
    const { headers } = await catalog.get(`/icons/77/${commit}.png`);
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
  });
});

describe('Versioning', () => {
  it('The catalog API lives under `/v1`.', async () => {
    for (const path of ['/api/templates', '/api/v2/templates', '/v1/templates'])
      assert.equal((await catalog.send({ path })).status, 404, path);
    assert.equal((await catalog.send({ path: '/api/v1/templates' })).status, 200);
  });

  it('The address is permanent: a route under `/v1` never changes meaning.', async () => {
    // The document that is committed is what every later one is held against; see packages/api.
    const served = JSON.parse((await catalog.get('/openapi.json')).text);
    const { default: committed } = await import('../../../api/catalog-v1.json', { with: { type: 'json' } });
    assert.deepEqual(served, committed);
  });
});
