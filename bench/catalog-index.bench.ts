/**
 * Measures how many releases per second the indexer reads, checks and records from a folder of Git repositories. In the
 * first run, each release has a new icon. In the second run, all icons are known. Both runs are measured with ten
 * releases per repository and with one, because each repository has a fixed cost. The indexer runs in a separate
 * process, as in production.
 */
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { CatalogConfig } from '../packages/catalog/src/config/config.ts';
import { GitFolder } from '../packages/catalog/test/support/git-folder.ts';
import { IndexerChild, type LogLine } from '../packages/catalog/test/support/indexer-child.ts';
import { releaseOf } from '../packages/catalog/test/support/indexer-harness.ts';
import { chunk, makePng } from '../packages/catalog/test/support/png.ts';
import { residentMib } from './support/process-use.ts';
import { conclude, formOf, rounded, say } from './support/result.ts';

/**
 * Number of releases with new icons, and of releases with known icons. The first number is for repositories with ten
 * releases of each kind. The second is for repositories with one, because Git takes long to create these.
 */
const RELEASES = { short: [300, 100], usual: [10_000, 2_000], long: [10_000, 10_000] } as const;
/** Width and height of the icons in pixels. */
const SIDE = 256;
/** Minimum releases per second, with new and with known icons. */
const LIMITS = { fresh: 40, known: 150 };
const MEMORY_POLL_MS = 200;
/** Number of repositories that are created concurrently. */
const CONCURRENCY = 4;

/** Results for one number of releases per repository. */
interface Layout {
  fresh: Rate;
  known: Rate;
  /** Duration in seconds of a run without new releases. */
  nothingNewS: number;
}

interface Rate {
  perSecond: number;
  seconds: number;
  peakMib: number;
}

interface Shape {
  folder: GitFolder;
  config: CatalogConfig;
  names: string[];
  /** Number of releases with new icons, and also of those with known icons, in each repository. */
  each: number;
}

const form = formOf();
const [inTens, single] = RELEASES[form];
const picture = drawPicture();
const tens = await measureLayout(inTens, 10);
const singles = await measureLayout(single, 1);
const slowest = Math.min(tens.fresh.perSecond, singles.fresh.perSecond);
const slowestKnown = Math.min(tens.known.perSecond, singles.known.perSecond);

await conclude(
  {
    name: 'catalog-index',
    promise: `Indexing ${inTens} new releases from a folder, with new icons of ${SIDE} pixels and with known icons`,
    limit: `≥ ${LIMITS.fresh}/s, ≥ ${LIMITS.known}/s`,
    value: rounded(slowest),
    unit: 'releases/s',
    ok: slowest >= LIMITS.fresh && slowestKnown >= LIMITS.known,
    details: {
      known_icons_per_second: rounded(slowestKnown),
      releases: { ten_per_repository: inTens, one_per_repository: single },
      ten_per_repository: detailsOf(tens),
      one_per_repository: detailsOf(singles),
      icon_bytes: iconOf(0).length,
    },
  },
  form,
);

function detailsOf({ fresh, known, nothingNewS }: Layout): Record<string, number> {
  return {
    new_icons_per_second: rounded(fresh.perSecond),
    known_icons_per_second: rounded(known.perSecond),
    peak_memory_mib: rounded(Math.max(fresh.peakMib, known.peakMib)),
    run_without_new_releases_s: rounded(nothingNewS),
  };
}

async function measureLayout(releases: number, each: number): Promise<Layout> {
  await using folder = await GitFolder.make();
  const names = Array.from({ length: releases / each }, (_, at) => `owner-${at % 50}/app-${at}`);
  const shape = { folder, config: configOf(folder), names, each };
  const layout = `${each} releases in each of ${names.length} repositories`;
  await publish(shape, 0);
  const fresh = await measure(shape);
  say(`${layout}, every icon is new: ${rounded(fresh.perSecond)} releases/s`);
  await publish(shape, each);
  const known = await measure(shape);
  say(`${layout}, every icon is known: ${rounded(known.perSecond)} releases/s`);
  return { fresh, known, nothingNewS: (await runIndexer(shape)).took_ms / 1000 };
}

function configOf({ path }: GitFolder): CatalogConfig {
  return {
    listen: { host: '127.0.0.1', port: 0 },
    dataDir: path,
    url: 'http://127.0.0.1',
    source: { kind: 'dir', path },
    topics: [],
    verifiedOwners: [],
    // The interval also limits the duration of a run. One day is enough on every machine.
    intervalS: 86_400,
    logLevel: 'info',
  };
}

async function measure(shape: Shape): Promise<Rate> {
  const { took_ms, accepted, peakMib } = await runIndexer(shape);
  const releases = shape.names.length * shape.each;
  if (accepted !== releases) throw new Error(`${accepted} of ${releases} releases were accepted`);
  return { perSecond: releases / (took_ms / 1000), seconds: took_ms / 1000, peakMib };
}

/** Runs the indexer once in a new process. The memory is that of the indexer without its child processes. */
async function runIndexer({ folder, config }: Shape): Promise<{ took_ms: number; accepted: number; peakMib: number }> {
  await using indexer = new IndexerChild(config, join(folder.path, 'catalog.db'));
  const { pid = 0 } = indexer.child;
  let peakMib = 0;
  const pollMemory = async () => {
    peakMib = Math.max(peakMib, await residentMib(pid).catch(() => 0));
  };
  const timer = setInterval(() => void pollMemory(), MEMORY_POLL_MS);
  const ended = (line: LogLine) => line.msg === 'indexing run finished';
  const line = await indexer.until('the end of the indexing run', ({ lines }) => lines.find(ended));
  clearInterval(timer);
  const { took_ms, accepted } = line as LogLine & { took_ms: number; accepted: number };
  return { took_ms, accepted, peakMib };
}

/**
 * Adds `each` releases to every repository. The n-th release of every call has the same icon, so that the icons of the
 * second call are known.
 * @param from number of releases that each repository already has
 */
async function publish({ folder, names, each }: Shape, from: number): Promise<void> {
  const left = [...names.entries()];
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [at, name] = next;
      const releases = Array.from({ length: each }, (_, n) =>
        releaseOf(`v${from + n}`, { 'icon.png': iconOf(at * each + n), 'README.md': `# ${name} ${n}\n` }, from + n),
      );
      await folder.release(name, ...releases);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/** Returns the picture with a stripe that differs for each number. */
function iconOf(number: number): Buffer {
  const raw = Buffer.from(picture);
  const line = SIDE * 4 + 1;
  for (let at = line * 16; at < line * 24; at += 4) raw.writeUInt32LE(((number + 1) * (at + 7)) >>> 0, at - (at % 4));
  for (let y = 16; y < 24; y += 1) raw[y * line] = 0;
  return makePng({ side: SIDE, pixels: [chunk('IDAT', deflateSync(raw, { level: 1 }))] });
}

/** Returns the pixels of a typical icon: a disc with a gradient and slight noise on a transparent background. */
function drawPicture(): Buffer {
  const raw = Buffer.alloc((SIDE * 4 + 1) * SIDE);
  let grain = 1;
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      grain = (grain * 1_103_515_245 + 12_345) & 0x7fffffff;
      const isInside = Math.hypot(x - SIDE / 2, y - SIDE / 2) < SIDE / 2 - 4;
      if (isInside) raw.set([x, y, 128 + ((grain >> 16) & 7), 255], y * (SIDE * 4 + 1) + 1 + x * 4);
    }
  }
  return raw;
}
