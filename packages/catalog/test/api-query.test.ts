/** Tests which query parameters the catalog accepts, and the error for an invalid parameter. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CatalogPage } from '@davit/api/catalog.ts';
import { bootCatalog } from '@davit/testkit/catalog';

const catalog = await bootCatalog();
after(() => catalog[Symbol.asyncDispose]());
catalog.add(
  { owner: 'a', name: 'uptime-kuma', description: 'Überwacht Dienste', stars: 3, topics: ['davit-template', 'watch'] },
  { owner: 'b', name: 'my_app', description: '100% self-hosted_files', stars: 2, topics: ['watch', 'c++', 'été'] },
  { owner: 'c', name: 'plausible', description: "it's \\ quick", stars: 1, topics: ['cubeship-template'] },
);

/** Requests the template listing. Returns the found templates, or the code and the message of the error. */
async function runQuery(query: string): Promise<{ status: number; code?: string; message?: string; found?: string[] }> {
  const { status, text } = await catalog.get(`/templates${query}`);
  const body = JSON.parse(text);
  return status === 200
    ? { status, found: (body as CatalogPage).templates.map(({ name }) => name) }
    : { status, ...body.error };
}

async function refuses(query: string, about: RegExp): Promise<void> {
  const { status, code, message } = await runQuery(query);
  assert.deepEqual([status, code], [400, 'invalid_query'], query);
  assert.match(message ?? '', about, query);
}

describe('the limit parameter', () => {
  it('accepts whole numbers from 1 to 48', async () => {
    for (const limit of ['1', '48', '05', '%34', '0000000000000000000000000000024'])
      assert.equal((await runQuery(`?limit=${limit}`)).status, 200, limit);
  });

  for (const limit of [
    '0',
    '49',
    '-1',
    '+5',
    '%2B5',
    '5.0',
    '1e1',
    '0x10',
    ' 5',
    '5%20',
    '٥',
    '５',
    'ten',
    '1_0',
    '9'.repeat(400),
  ])
    it(`rejects “${limit.slice(0, 20)}”`, () =>
      refuses(`?limit=${encodeURI(decodeURI(limit))}`, /limit must be a whole number/));
});

describe('the sort parameter', () => {
  it('rejects values other than recent and stars', async () => {
    for (const sort of ['Recent', 'stars%20', 'name', 'recent,stars', '%00'])
      await refuses(`?sort=${sort}`, /sort must be recent or stars/);
  });
});

describe('the q parameter', () => {
  const finds = async (q: string, ...names: string[]) =>
    assert.deepEqual((await runQuery(`?sort=stars&q=${encodeURIComponent(q)}`)).found, names, q);

  it('finds parts of the name or description, ignoring case and diacritics', async () => {
    await finds('KUMA', 'uptime-kuma');
    await finds('uberwacht', 'uptime-kuma');
    await finds('ÜBERWACHT', 'uptime-kuma');
    await finds('  kuma  ', 'uptime-kuma');
  });

  it('treats hyphens, underscores and spaces in names alike', async () => {
    for (const q of ['uptime kuma', 'uptime_kuma', 'uptime-kuma']) await finds(q, 'uptime-kuma');
    await finds('my app', 'my_app');
  });

  it('treats special characters of the search syntax as plain text', async () => {
    await finds('100%', 'my_app');
    await finds('%', 'my_app');
    await finds("'", 'plausible');
    await finds('\\', 'plausible');
    await finds('1%0');
    await finds('"');
    await finds('*');
  });

  it('searches only the name and the description', async () => {
    for (const q of ['watch', 'c++', 'github.com', 'Release', 'v1.0.0']) await finds(q);
  });

  it('accepts at most 100 characters after trimming', async () => {
    assert.equal((await runQuery(`?q=${'a'.repeat(100)}`)).status, 200);
    assert.equal((await runQuery(`?q=${encodeURIComponent('😀'.repeat(100))}`)).status, 200);
    assert.equal((await runQuery(`?q=${'%20'.repeat(90)}${'a'.repeat(100)}%20`)).status, 200);
    await refuses(`?q=${'a'.repeat(101)}`, /at most 100 characters/);
    await refuses(`?q=${encodeURIComponent('😀'.repeat(101))}`, /at most 100 characters/);
    await refuses(`?q=${'a'.repeat(9_000)}`, /at most 100 characters/);
  });

  it('rejects NUL characters and invalid UTF-8', async () => {
    await refuses('?q=a%00b', /NUL/);
    for (const q of ['%ff', '%c3', '%c3%28', '%ed%a0%80', '%f8%88%80%80%80', '%c0%80', '%', '%4', '%zz', '%u0041'])
      await refuses(`?q=${q}`, /not text in UTF-8/);
  });

  it('reads a plus sign as a space', async () => {
    assert.deepEqual((await runQuery('?q=uptime+kuma')).found, ['uptime-kuma']);
    assert.deepEqual((await runQuery('?q=uptime%2Bkuma')).found, []);
  });
});

describe('the tag parameter', () => {
  it('lists templates with exactly this topic, including listing topics', async () => {
    assert.deepEqual((await runQuery('?tag=watch&sort=stars')).found, ['uptime-kuma', 'my_app']);
    assert.deepEqual((await runQuery('?tag=davit-template')).found, ['uptime-kuma']);
    assert.deepEqual((await runQuery('?tag=c%2B%2B')).found, ['my_app']);
    assert.deepEqual((await runQuery('?tag=%C3%A9t%C3%A9')).found, ['my_app']);
    assert.deepEqual((await runQuery('?tag=watch&q=my')).found, ['my_app']);
  });

  it('returns an empty list for a topic without templates', async () => {
    for (const tag of ['Watch', 'wat', 'watch%20', '%00', "'", '%25', 'x'.repeat(5_000)])
      assert.deepEqual((await runQuery(`?tag=${tag}`)).found, [], tag.slice(0, 20));
    await refuses('?tag=%ff', /not text in UTF-8/);
  });
});

describe('query parameters', () => {
  it('are refused if they are repeated', async () => {
    for (const query of [
      'q=a&q=a',
      'q=&q=a',
      'limit=5&limit=5',
      'sort=stars&s%6Frt=stars',
      'tag=a&tag=b',
      'cursor=&cursor=',
    ])
      await refuses(`?${query}`, /is repeated/);
    const { status, text } = await catalog.get('/templates/a/uptime-kuma/manifest?release=v1&release=v2');
    assert.deepEqual([status, JSON.parse(text).error.code], [400, 'invalid_query']);
  });

  it('count as absent if they are empty', async () => {
    for (const query of ['?q=', '?q', '?limit=', '?sort=&tag=&cursor=&q=&limit=', '?', '?&&', '?=', '?q=%20%20'])
      assert.equal((await runQuery(query)).found?.length, 3, query);
  });

  it('are ignored if their names are unknown', async () => {
    for (const query of [
      '?x=1',
      '?Q=kuma',
      '?x=1&x=2',
      '?x=%ff',
      '?%ff=1',
      '?q[]=kuma',
      '?__proto__=1',
      '?constructor=x',
      '?LIMIT=0',
    ])
      assert.equal((await runQuery(query)).found?.length, 3, query);
    const { text } = await catalog.get('/templates?x=1');
    assert.equal(text, (await catalog.get('/templates')).text);
  });

  it('are ignored on routes without parameters', async () => {
    assert.equal((await catalog.get('/tags?limit=0&q=%ff')).status, 200);
    assert.equal((await catalog.get('/templates/a/uptime-kuma?release=nothing')).status, 200);
  });
});

it('hostile text in a parameter or path returns only 200, 400 or 404', async () => {
  const attacks = [
    ...["' OR 1=1 --", '"; DROP TABLE templates; --', '%27', 'NEAR(a b)', 'a* AND b*', '^a', 'name:x', '{x}', '(', ')'],
    ...['../../etc/passwd', '..%2f..%2f', '%2e%2e', '/etc/passwd', '\\..\\', 'file:///etc/passwd', 'http://127.0.0.1/'],
    ...['<script>alert(1)</script>', '{{7*7}}', '#{7*7}', '%{7*7}', '`id`', '$(id)', '|id', ';id', '\r\nX: y'],
    ...[
      '%0d%0aX-Injected:%20yes',
      '%00',
      'a%00b',
      '%ff%fe',
      '\u202e',
      '\ufeff',
      '\u0000',
      '💥'.repeat(50),
      'é'.normalize('NFD'),
    ],
    ...['NaN', 'Infinity', '-0', '1e309', '0x7fffffff', '9007199254740993', '-9223372036854775808', '[]', '{}', 'null'],
    ...[
      'true',
      'undefined',
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      '%',
      '%%',
      '%2',
      '%25%32%66',
      '+',
    ],
    ...[
      '%',
      '_',
      '\\',
      '%\\_',
      'a%b_c\\d',
      "''",
      '""',
      '--',
      '/*',
      '*/',
      ';',
      ',',
      '&',
      '=',
      '?',
      '#',
      '~',
      '!',
      '@',
      '|',
    ],
    ...['a'.repeat(100), 'a'.repeat(101), 'a'.repeat(8_000), '%41'.repeat(100), 'ÿ'.repeat(100), '\u0301'.repeat(100)],
    ...[
      'İ',
      'ı',
      'ß',
      'ﬁ',
      '㎏',
      'Å',
      'ｆｕｌｌ',
      '𝒜',
      '가',
      '\u1100\u1161',
      '-',
      '_',
      ' ',
      '- -',
      '\t',
      '\u00a0',
      '\u3000',
    ],
  ];
  attacks.push(
    '<img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '1;SELECT 1',
    '1 UNION SELECT 1',
    'sleep(9)',
    '../'.repeat(30),
  );
  assert.ok(attacks.length >= 100, String(attacks.length));
  for (const attack of attacks) {
    for (const text of [encodeURIComponent(attack.toWellFormed()), attack.replace(/[^\x21-\x7e]/g, '')]) {
      const queries = ['q', 'tag', 'sort', 'limit', 'cursor', 'x'].map((name) => `/templates?${name}=${text}`);
      const paths = [
        `/templates/${text}/${text}`,
        `/templates/a/uptime-kuma/manifest?release=${text}`,
        `/icons/${text}/${text}`,
      ];
      for (const path of [...queries, ...paths, `/${text}`]) {
        const { status, headers } = await catalog.get(path);
        assert.ok([200, 400, 404].includes(status), `${path.slice(0, 100)}: ${status}`);
        assert.equal(headers.get('x-injected'), null);
      }
    }
  }
});

it('ten thousand unknown parameters add no cached responses', async () => {
  const kept = async () =>
    /davit_catalog_answers_total\{kept="no"\} (\d+)/.exec((await catalog.get('/metrics')).text)?.[1];
  await catalog.get('/templates');
  const before = await kept();
  for (let i = 0; i < 10_000; i += 500) {
    await Promise.all(
      Array.from({ length: 500 }, async (_, j) => {
        const { status } = await catalog.send({ method: 'HEAD', path: `/api/v1/templates?x=${i + j}&limit=24` });
        assert.equal(status, 200);
      }),
    );
  }
  assert.equal(await kept(), before);
});
