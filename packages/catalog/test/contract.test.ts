/**
 * Each test checks one sentence of the API contract about the catalog, on a running catalog. Other tests may check the
 * same sentence too. Sentences about things that may change have no test.
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
  // These templates come last in the listing, and there are more of them than one page contains.
  ...Array.from({ length: 50 }, () => ({ owner: 'stark', releases: [{ publishedAt: '2020-01-01T00:00:00Z' }] })),
);
const PATH = '/templates/acme/cubeship-uptime-kuma-template';
const page = () => catalog.read<CatalogPage>('/templates');
const detail = () => catalog.read<CatalogDetail>(PATH);
const releases = async () => (await catalog.read<CatalogReleases>(`${PATH}/releases`)).releases;
const codeOf = ({ text }: Answer) => (JSON.parse(text) as { error: { code: string } }).error.code;
const itemNamed = async (name: string) => (await page()).templates.find((one) => one.name === name);

describe('the catalog service', () => {
  it('lets programs read listings, templates, releases and manifests', async () => {
    for (const path of ['/templates', PATH, `${PATH}/releases`, `${PATH}/manifest`])
      assert.equal((await catalog.get(path)).status, 200, path);
  });

  it('returns JSON without a key and for any origin', async () => {
    const { status, headers, text } = await catalog.get('/templates', { origin: 'https://elsewhere.example' });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.ok(JSON.parse(text));
  });
});

describe('template listing item', () => {
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
    it(`has the field ${name}, ${type}${notes && `: ${notes}`}`, async () => {
      const item = await itemNamed('cubeship-uptime-kuma-template');
      assert.deepEqual((item as Record<string, unknown> | undefined)?.[name], value);
    });

  it('has an icon_url with the repository ID and the commit', async () => {
    const item = await itemNamed('cubeship-uptime-kuma-template');
    const commit = kuma?.releases[1]?.commit;
    assert.equal(item?.icon_url, `https://templates.example.com/api/v1/icons/77/${commit}.png`);
  });

  it('marks only the two configured owners as verified', async () => {
    const verified = (await page()).templates.map(({ owner, verified: is }) => [owner, is] as const);
    const { acme, Globex, umbrella, stark } = Object.fromEntries(verified);
    assert.deepEqual([acme, Globex, umbrella, stark], [true, true, false, false]);
    await assert.rejects(bootCatalog({ settings: { verifiedOwners: 'acme,globex,umbrella' } }), /at most two owners/);
  });

  it('has the newest accepted release as its release', async () => {
    assert.equal((await itemNamed('cubeship-uptime-kuma-template'))?.release.tag, 'v2');
  });
});

describe('release object in a listing item', () => {
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

describe('template detail', () => {
  it('contains all listing fields plus readme, source, source_url and manifest', async () => {
    const { readme, source, source_url, manifest, ...listed } = await detail();
    assert.deepEqual(listed, await itemNamed('cubeship-uptime-kuma-template'));
    assert.ok(readme && source && source_url && manifest);
  });

  it('readme contains the README text of the template', async () => assert.equal((await detail()).readme, '# Kuma\n'));

  it('source contains template.yaml exactly as written', async () => assert.equal((await detail()).source, SOURCE));

  it('source_url points to template.yaml at the commit of the release', async () => {
    const { source_url, release } = await detail();
    const path = `acme/cubeship-uptime-kuma-template/${release.commit}/template.yaml`;
    assert.equal(source_url, `https://raw.githubusercontent.com/${path}`);
  });

  it('manifest contains the normalized file with internal host names', async () => {
    const { manifest } = await detail();
    assert.deepEqual(manifest, sampleManifest());
    assert.equal(manifest.apps[0]?.internal_host, 'web.production.sample.internal');
  });
});

describe('release entries of a template', () => {
  it('contain the status and the diagnostics of each release', async () => {
    assert.deepEqual(
      (await releases()).map(({ tag, status, problems }) => [tag, status, problems]),
      [
        ['v3', 'rejected', [REFUSAL]],
        ['v2', 'accepted', []],
        ['v1', 'accepted', [ADVICE]],
      ],
    );
  });

  it('provide a manifest for an accepted release', async () => {
    assert.equal((await catalog.get(`${PATH}/manifest?release=v1`)).status, 200);
  });

  it('provide diagnostics but no manifest for a rejected release', async () => {
    const [refused] = await releases();
    assert.deepEqual([refused?.status, refused?.problems], ['rejected', [REFUSAL]]);
    assert.equal((await catalog.get(`${PATH}/manifest?release=v3`)).status, 404);
  });
});

describe('catalog error object', () => {
  it('contains only an error with code and message strings', async () => {
    const { text } = await catalog.get('/templates?limit=0');
    const { error, ...more } = JSON.parse(text);
    assert.deepEqual([Object.keys(error), more], [['code', 'message'], {}]);
    assert.deepEqual([typeof error.code, typeof error.message], ['string', 'string']);
  });
});

describe('catalog API routes', () => {
  it('include the six GET routes of the contract, and these refuse POST', async () => {
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

  it('GET /templates returns templates and next_cursor', async () => {
    assert.deepEqual(Object.keys(await page()), ['templates', 'next_cursor']);
    assert.equal((await catalog.read<CatalogPage>('/templates?q=secrets')).next_cursor, null);
    assert.equal(typeof (await catalog.read<CatalogPage>('/templates?limit=1')).next_cursor, 'string');
  });

  it('GET /templates/{owner}/{name} returns the template detail', async () =>
    assert.equal((await detail()).owner, 'acme'));

  it('GET /templates/{owner}/{name}/manifest returns only the manifest', async () => {
    assert.deepEqual(await catalog.read(`${PATH}/manifest`), sampleManifest());
  });

  it('the release parameter selects a release and defaults to the listed release', async () => {
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

  it('GET /templates/{owner}/{name}/releases returns every release, newest first', async () => {
    assert.deepEqual(
      (await releases()).map(({ tag }) => tag),
      ['v3', 'v2', 'v1'],
    );
    catalog.add({ owner: 'acme', name: 'many', releases: Array.from({ length: 120 }, (_, i) => ({ tag: `v${i}` })) });
    const all = await catalog.read<CatalogReleases>('/templates/acme/many/releases');
    assert.equal(all.releases.length, 120);
  });

  it('GET /tags returns every topic of a listed template', async () => {
    const { tags } = await catalog.read<{ tags: string[] }>('/tags');
    assert.deepEqual(tags, ['monitoring', 'security', 'status-page']);
  });

  it('GET /icons/{repository}/{commit}.png returns the image at icon_url', async () => {
    const { icon_url } = await detail();
    const response = await fetch(icon_url.replace('https://templates.example.com', catalog.url));
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(ICON));
  });
});

describe('query parameters of GET /templates', () => {
  it('q matches only the repository name or description', async () => {
    assert.deepEqual(await catalog.list('?q=UPTIME%20kuma'), ['acme/cubeship-uptime-kuma-template']);
    assert.deepEqual(await catalog.list('?q=watches'), ['acme/cubeship-uptime-kuma-template']);
    for (const other of ['acme', 'monitoring', 'Release'])
      assert.deepEqual(await catalog.list(`?q=${other}`), [], 'nothing else is looked into');
  });

  it('tag matches exactly a topic of the repository', async () => {
    assert.deepEqual(await catalog.list('?tag=security'), ['umbrella/vault']);
    assert.deepEqual(await catalog.list('?tag=secur'), []);
    assert.deepEqual(await catalog.list('?tag=Security'), []);
  });

  it('sort accepts recent and stars and defaults to recent', async () => {
    const dates = (await page()).templates.map(({ release }) => release.published_at);
    assert.deepEqual(dates, dates.toSorted().reverse());
    assert.deepEqual(await catalog.list('?sort=recent'), await catalog.list());
    assert.equal((await catalog.list('?sort=stars'))[0], 'umbrella/vault');
    assert.equal((await catalog.get('/templates?sort=name')).status, 400);
  });

  it('limit accepts 1 to 48 and defaults to 24', async () => {
    assert.equal((await catalog.list()).length, 24);
    for (const limit of [1, 2, 24, 47, 48]) assert.equal((await catalog.list(`?limit=${limit}`)).length, limit);
    for (const limit of ['0', '49', '1.5', 'all'])
      assert.equal((await catalog.get(`/templates?limit=${limit}`)).status, 400);
  });

  it('cursor returns the page after the previous page', async () => {
    const first = await catalog.read<CatalogPage>('/templates?limit=2');
    const second = await catalog.read<CatalogPage>(`/templates?limit=2&cursor=${first.next_cursor}`);
    const both = [...first.templates, ...second.templates].map(({ owner, name }) => `${owner}/${name}`);
    assert.deepEqual(both, await catalog.list('?limit=4'));
  });

  it('next_cursor is null on the last page', async () => {
    const whole = await catalog.read<CatalogPage>('/templates?q=secrets&limit=1');
    assert.deepEqual([whole.templates.length, whole.next_cursor], [1, null]);
    let last = await catalog.read<CatalogPage>('/templates?limit=48');
    while (last.next_cursor !== null) last = await catalog.read(`/templates?limit=48&cursor=${last.next_cursor}`);
    assert.equal(last.templates.at(-1)?.owner, 'stark');
  });
});

describe('catalog authentication', () => {
  it('requires no key and allows any origin', async () => {
    const { headers } = await catalog.get(PATH, { origin: 'null' });
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(headers.has('access-control-allow-credentials'), false);
  });
});

describe('catalog errors', () => {
  it('have the JSON error object as their body', async () => {
    for (const path of ['/nowhere', '/templates?limit=0', '/templates/acme/none', '/icons/1/0000000.png']) {
      const { headers, text } = await catalog.get(path);
      assert.equal(headers.get('content-type'), 'application/json', path);
      assert.deepEqual(Object.keys(JSON.parse(text).error), ['code', 'message'], path);
    }
  });

  it('an invalid query returns 400 with invalid_query', async () => {
    const answer = await catalog.get('/templates?sort=worst');
    assert.deepEqual([answer.status, codeOf(answer)], [400, 'invalid_query']);
  });

  it('an unknown template or path returns 404 with not_found', async () => {
    for (const path of ['/templates/acme/none', '/templates/hooli/nowhere', '/nothing']) {
      const answer = await catalog.get(path);
      assert.deepEqual([answer.status, codeOf(answer)], [404, 'not_found'], path);
    }
  });

  it('a catalog without an index returns 503 with unavailable', async () => {
    await using empty = await bootCatalog({ published: false });
    const answer = await empty.get('/templates');
    assert.deepEqual([answer.status, codeOf(answer)], [503, 'unavailable']);
  });
});

describe('catalog limits', () => {
  it('a listing accepts a limit of 1 to 48, default 24', async () => {
    const sizes = await Promise.all(
      ['', '?limit=1', '?limit=48'].map(async (query) => (await catalog.list(query)).length),
    );
    assert.deepEqual(sizes, [24, 1, 48]);
    for (const limit of [0, 49])
      assert.equal(codeOf(await catalog.get(`/templates?limit=${limit}`)), 'invalid_query', String(limit));
  });

  it('responses can be cached for a minute', async () => {
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

  it('passes start at most once per interval of at least five minutes', async () => {
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
    // A timer may fire early by less than a millisecond.
    assert.ok(third - first > 98, 'no pass begins before its time');
  });

  it('icons can be cached forever as immutable responses', async () => {
    const commit = kuma?.releases[1]?.commit;
    const { headers } = await catalog.get(`/icons/77/${commit}.png`);
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
  });
});

describe('catalog API versioning', () => {
  it('serves the catalog API only below /api/v1', async () => {
    for (const path of ['/api/templates', '/api/v2/templates', '/v1/templates'])
      assert.equal((await catalog.send({ path })).status, 404, path);
    assert.equal((await catalog.send({ path: '/api/v1/templates' })).status, 200);
  });

  it('serves exactly the committed OpenAPI document', async () => {
    // `packages/api` compares later API descriptions with the committed document.
    const served = JSON.parse((await catalog.get('/openapi.json')).text);
    const { default: committed } = await import('../../../api/catalog-v1.json', { with: { type: 'json' } });
    assert.deepEqual(served, committed);
  });
});
