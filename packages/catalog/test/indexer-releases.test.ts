import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { checkTemplate } from '@davit/template';
import { IndexerHarness, releaseOf, templateOf } from './support/indexer-harness.ts';
import { makePng } from './support/png.ts';

const KIB = 1024;

describe('a release in the indexer', () => {
  let harness: IndexerHarness;
  beforeEach(async () => {
    harness = await IndexerHarness.make();
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  it('is accepted and listed with its source, README, manifest and icon', async () => {
    const source = `\u{feff}# a comment\r\n${templateOf()}`;
    const files = { 'template.yaml': source, 'README.md': Buffer.from([0x23, 0x20, 0xff, 0x0a]) };
    await harness.folder.release('acme/demo', releaseOf('v1', files));
    const { report, index } = await harness.pass();
    assert.deepEqual([report.accepted, report.rejected, report.failed, report.error, index], [1, 0, 0, null, 1]);
    const found = harness.reader.template('ACME', 'Demo');
    assert.equal(found?.source, source);
    assert.equal(found?.readme, '# \u{fffd}\n');
    assert.equal(JSON.parse(found?.manifest ?? '').project, 'demo');
    const icon = harness.reader.icon(found?.id ?? 0, found?.release.commit ?? '');
    assert.ok(icon && Buffer.from(icon).subarray(1, 4).toString() === 'PNG');
  });

  it('reports all its problems at the same time', async () => {
    const files = { 'template.yaml': 'version: 2\nprojct: x\n', 'README.md': null, 'icon.png': makePng({ side: 100 }) };
    await harness.folder.release('acme/demo', releaseOf('v1', files));
    await harness.pass();
    const codes = harness.problems('acme/demo').v1 ?? [];
    for (const code of ['release.readme-missing', 'icon.size', 'schema.unknown-key'])
      assert.ok(codes.includes(code), code);
    assert.deepEqual(harness.listed(), []);
  });

  const REFUSED: [string, Parameters<typeof releaseOf>[1] & object, string[]][] = [
    ['without a template', { 'template.yaml': null }, ['release.template-missing']],
    ['without a README', { 'README.md': null }, ['release.readme-missing']],
    ['without an icon', { 'icon.png': null }, ['release.icon-missing']],
    ['with too long a template', { 'template.yaml': '#'.repeat(256 * KIB + 1) }, ['release.too-large']],
    ['with too long a README', { 'README.md': 'x'.repeat(512 * KIB + 1) }, ['release.too-large']],
    ['with too large an icon', { 'icon.png': Buffer.alloc(512 * KIB + 1) }, ['release.too-large']],
    ['with a folder for a README', { 'README.md': null, 'README.md/x': '' }, ['release.readme-missing']],
    ['with a template that is no text', { 'template.yaml': Buffer.from([0xff, 0xfe]) }, ['yaml.encoding']],
    ['with an icon that is none', { 'icon.png': '<svg/>' }, ['icon.not-png']],
    ['with an icon that cannot be decoded', { 'icon.png': makePng({ raw: Buffer.alloc(9) }) }, ['icon.not-png']],
    ['with an icon that is not square', { 'icon.png': makePng({ width: 256, height: 200 }) }, ['icon.size']],
  ];
  it('is rejected with the matching code for each missing or invalid file', async () => {
    for (const [at, [, files]] of REFUSED.entries())
      await harness.folder.release(`acme/bad-${at}`, releaseOf('v1', files));
    const { report } = await harness.pass();
    assert.equal(report.rejected, REFUSED.length);
    for (const [at, [name, , codes]] of REFUSED.entries()) {
      const found = harness.problems(`acme/bad-${at}`).v1 ?? [];
      assert.deepEqual(
        found.filter((code) => !code.startsWith('advice.')),
        codes,
        name,
      );
    }
  });

  it('is accepted with a template and a README of exactly the maximum size', async () => {
    const template = templateOf().padEnd(256 * KIB, '#');
    await harness.folder.release(
      'acme/demo',
      releaseOf('v1', { 'template.yaml': template, 'README.md': 'x'.repeat(512 * KIB) }),
    );
    assert.equal((await harness.pass()).report.accepted, 1, JSON.stringify(harness.problems('acme/demo')));
  });

  it('with a template.yml gets the hint to rename the file', async () => {
    await harness.folder.release('acme/demo', releaseOf('v1', { 'template.yaml': null, 'template.yml': templateOf() }));
    await harness.pass();
    const [release] = harness.reader.releases('acme', 'demo') ?? [];
    assert.match(release?.problems[0]?.hint ?? '', /Rename template\.yml/);
  });

  it('is read only once, whether accepted or rejected', async () => {
    await harness.folder.release('acme/good', releaseOf('v1'));
    await harness.folder.release('acme/bad', releaseOf('v1', { 'template.yaml': null }));
    await harness.pass();
    const reads = harness.source.reads.length;
    assert.deepEqual(new Set(harness.source.reads).size, reads, 'each file once');
    const { report, index } = await harness.pass();
    assert.equal(harness.source.reads.length, reads);
    assert.deepEqual([report.accepted, report.rejected, index], [0, 0, 1]);
  });

  it('is read again in the next pass if its host fails', async () => {
    await harness.folder.release('acme/one', releaseOf('v1'));
    await harness.folder.release('acme/two', releaseOf('v1', { 'README.md': null }));
    harness.source.failsToRead = (what) => what.endsWith('icon.png');
    const first = await harness.pass();
    assert.deepEqual([first.report.failed, first.report.accepted, first.report.rejected], [2, 0, 0]);
    assert.equal(first.index, 1, 'the first index comes all the same');
    assert.deepEqual(harness.reader.releases('acme', 'one'), []);
    harness.source.failsToRead = () => false;
    const second = await harness.pass();
    assert.deepEqual([second.report.failed, second.report.accepted, second.report.rejected], [0, 1, 1]);
    assert.deepEqual(harness.listed(), ['acme/one v1']);
  });

  it('is not rejected if the validator throws an error', async () => {
    await harness.folder.release('acme/demo', releaseOf('v1'));
    const check = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    const { report } = await harness.pass({ validator: { version: 1, check } });
    assert.deepEqual([report.failed, report.rejected], [1, 0]);
    assert.ok(harness.lines.some(({ level, msg }) => level === 'error' && String(msg).includes('internal error')));
    assert.equal((await harness.pass()).report.accepted, 1);
  });

  it('is checked again by a newer validator without unnecessary reads', async () => {
    await harness.folder.release('acme/good', releaseOf('v1'));
    await harness.folder.release('acme/bad', releaseOf('v1', { 'template.yaml': 'version: 2\n' }));
    await harness.folder.release('acme/bare', releaseOf('v1', { 'template.yaml': null }));
    await harness.pass({ validator: { version: 7, check: check(true) } });
    assert.deepEqual(harness.listed(), ['acme/good v1']);
    const reads = harness.source.reads.length;

    const { report } = await harness.pass({ validator: { version: 8, check: check(false) } });
    assert.deepEqual([report.accepted, report.rejected], [0, 2]);
    assert.ok(
      harness.source.reads.slice(reads).every((what) => what.startsWith('acme/bad ')),
      'what is kept is not read',
    );
    assert.deepEqual(harness.listed(), []);
    const again = harness.source.reads.length;
    await harness.pass({ validator: { version: 8, check: check(false) } });
    assert.equal(harness.source.reads.length, again, 'and once');

    await harness.pass({ validator: { version: 9, check: check(true) } });
    assert.deepEqual(harness.listed(), ['acme/good v1'], 'and is accepted again by a milder one');
  });

  it('with a moved tag is recorded as another release', async () => {
    await harness.folder.release('acme/demo', releaseOf('v1', { 'template.yaml': templateOf('before') }));
    await harness.pass();
    const before = harness.reader.template('acme', 'demo');
    await harness.folder.release('acme/demo', releaseOf('v1', { 'template.yaml': templateOf('after') }, 1));
    const { report } = await harness.pass();
    assert.equal(report.accepted, 1);
    const releases = harness.reader.releases('acme', 'demo') ?? [];
    assert.deepEqual(
      releases.map(({ tag, commit }) => [tag, commit === before?.release.commit]),
      [
        ['v1', false],
        ['v1', true],
      ],
    );
    assert.equal(JSON.parse(harness.reader.manifest('acme', 'demo', null) ?? '').project, 'after');
  });

  it('is listed as the newest accepted release despite a later rejected release', async () => {
    const bad = releaseOf('v3', { 'template.yaml': null }, 9);
    await harness.folder.release('acme/demo', releaseOf('v1'), releaseOf('v2', {}, 5), bad);
    await harness.pass();
    assert.deepEqual(harness.listed(), ['acme/demo v2']);
    assert.equal(Object.keys(harness.problems('acme/demo')).length, 3);
  });

  it('is ordered by the version in its tag if dates are equal', async () => {
    const tags = ['v1.9.0', 'v1.10.0', 'v1.2.0', 'v1.11.0', 'v1.1.0'];
    await harness.folder.release('acme/demo', ...tags.map((tag) => releaseOf(tag)), releaseOf('v0', {}, -1));
    const slow = Promise.withResolvers<void>();
    let reads = 0;
    // Delay the first release until all other releases have been read.
    harness.source.beforeRead = async () => {
      reads += 1;
      if (reads <= 3) await slow.promise;
      else if (reads === 3 * tags.length) slow.resolve();
    };
    await harness.pass();
    assert.deepEqual(harness.listed(), ['acme/demo v1.11.0']);
    const newest = (harness.reader.releases('acme', 'demo') ?? []).map(({ tag }) => tag);
    assert.deepEqual(newest, ['v1.11.0', 'v1.10.0', 'v1.9.0', 'v1.2.0', 'v1.1.0', 'v0']);
  });

  it('with a known icon needs no second encoding', async () => {
    const icon = makePng({ seed: 3 });
    const many = Array.from({ length: 12 }, (_, at) => releaseOf(`v${at}`, { 'icon.png': icon }, at));
    await harness.folder.release('acme/demo', ...many);
    await harness.pass();
    assert.equal(harness.encoded, 1, 'not even at the same moment');
    await harness.folder.release('acme/other', releaseOf('v1', { 'icon.png': icon }));
    assert.equal((await harness.pass()).report.accepted, 1);
    assert.equal(harness.encoded, 1);
  });

  it('is listed for each of 120 tags, newest first', async () => {
    const many = Array.from({ length: 120 }, (_, at) => releaseOf(`v${at}`, {}, at));
    await harness.folder.release('acme/demo', ...many);
    assert.equal((await harness.pass()).report.accepted, 120);
    const tags = (harness.reader.releases('acme', 'demo') ?? []).map(({ tag }) => tag);
    assert.deepEqual(tags, many.map(({ tag }) => tag).reverse());
  });
});

/** Returns the real template check, with an additional rule if `isMild` is `false`. */
function check(isMild: boolean) {
  return (file: Uint8Array) => {
    const checked = checkTemplate(Buffer.from(file).toString());
    if (isMild) return checked;
    const problem = { severity: 'error', code: 'image.tagged', message: 'No longer.', path: [] } as const;
    return { manifest: null, diagnostics: [...checked.diagnostics, problem] };
  };
}
