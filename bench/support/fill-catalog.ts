/** Creates a catalog of any size with the catalog's own database functions, and keeps it for later benchmarks. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from '../../packages/catalog/src/store/migrations/index.ts';
import { openRecords } from '../../packages/catalog/src/store/records.ts';
import type { CrawlRecords, Position, Sort } from '../../packages/catalog/src/store/types.ts';
import {
  SAMPLE_PASS,
  sampleAccepted,
  sampleRelease,
  sampleRepository,
  saveTemplate,
} from '../../packages/catalog/test/support/sample-store.ts';
import { say } from './result.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const STORE = join(ROOT, 'packages', 'catalog', 'src', 'store');
const SAMPLES = join(ROOT, 'packages', 'catalog', 'test', 'support', 'sample-store.ts');
const CACHE = join(ROOT, 'node_modules', '.cache', 'davit-catalog');

/** Number of templates in one transaction. */
const TOGETHER = 5_000;

const COMMON =
  `self hosted server open source app for the and with of manager dashboard simple fast web analytics database
  tool platform your team docker service api file sharing photo music note wiki chat git backup mail proxy auth password`.split(
    /\s+/,
  );
const SYLLABLES =
  `ba be bi bo bu ca ce co da de di do fa fi fo ga ge go ha he hi ja jo ka ke ko la le li lo lu ma me mi mo
  na ne ni no pa pe po ra re ri ro sa se si so ta te ti to tu va ve vi vo wa we xa xe za zo qu yo üb éc 東 京`.split(
    /\s+/,
  );
const WORDS = 20_000;
const TOPICS = 400;

/** Returns a pseudorandom number below another number. The sequence is the same in every run. */
export type Pick = (below: number) => number;

export function pickFrom(seed: number): Pick {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below;
  };
}

/**
 * Returns an item with a distribution like words: the n-th most common item is about n times less frequent than the
 * first.
 */
export function oneOf<T>(list: readonly T[], pick: Pick): T {
  const evenness = 6;
  const at = evenness * (1 + list.length / evenness) ** pick(1) - evenness;
  return list[Math.min(Math.floor(at), list.length - 1)] as T;
}

/** Words of names and descriptions, most common first. Each of the first dozen is in more than 5 % of the templates. */
export const VOCABULARY: readonly string[] = vocabulary();

/** Topics, most common first. The last topics are in few templates. */
export const TOPIC_NAMES: readonly string[] = Array.from({ length: TOPICS }, (_, i) => `topic-${i + 1}`);

function vocabulary(): string[] {
  const pick = pickFrom(1);
  const words = new Set(COMMON);
  while (words.size < WORDS) {
    const syllables = Array.from({ length: 2 + pick(3) }, () => SYLLABLES[Math.floor(pick(SYLLABLES.length))]);
    words.add(syllables.join(''));
  }
  return [...words];
}

/** Returns the file of a catalog with this many templates. Only read it, because the next benchmark uses it too. */
export function filledCatalog(templates: number): string {
  const form = formOfFile().slice(0, 12);
  const file = join(CACHE, `${templates}-${form}.db`);
  if (existsSync(file)) return file;
  mkdirSync(CACHE, { recursive: true });
  // One million templates need gigabytes, so files of earlier formats and unfinished files are removed.
  for (const old of readdirSync(CACHE)) if (!old.includes(`-${form}.db`)) rmSync(join(CACHE, old));
  const unfinished = `${file}.unfinished`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${unfinished}${suffix}`, { force: true });
  const began = performance.now();
  fill(unfinished, templates);
  renameSync(unfinished, file);
  say(`made a catalog of ${templates} templates in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return file;
}

/** Returns a hash of everything that determines the content of the file. */
function formOfFile(): string {
  const sources = ['fold', 'gram', 'orders', 'position', 'publish', 'search-index', 'template', 'topic'];
  const texts = [...sources.map((name) => join(STORE, `${name}.ts`)), SAMPLES].map((path) => readFileSync(path));
  const own = readFileSync(import.meta.filename);
  return createHash('sha256')
    .update(MIGRATIONS.join(''))
    .update(Buffer.concat([...texts, own]))
    .digest('hex');
}

/**
 * Returns a random position in a list of such a catalog. Most templates have no stars, so most positions by stars are
 * at the end.
 */
export function positionIn(sort: Sort, templates: number, pick: Pick): Position {
  const key = sort === 'stars' ? starsOf(pick) : publishedOf(pick);
  return { key, id: Math.floor(pick(templates)) };
}

function starsOf(pick: Pick): number {
  return pick(1) < 0.7 ? 0 : Math.floor(10 ** pick(4.5));
}

/** Returns a random time in seconds since the epoch. */
function publishedOf(pick: Pick): number {
  return 1_600_000_000 + Math.floor(pick(160_000_000));
}

function fill(file: string, templates: number): void {
  using records = openRecords(file);
  const pick = pickFrom(2);
  for (let id = 1; id <= templates; id += TOGETHER) {
    records.together(() => {
      for (let n = id; n < id + TOGETHER && n <= templates; n += 1) saveOne(records, n, pick);
    });
  }
  records.saveIcon('a'.repeat(64), new Uint8Array(1_024));
  records.publish(SAMPLE_PASS);
}

function saveOne(records: CrawlRecords, id: number, pick: Pick): void {
  const words = (least: number, most: number) =>
    Array.from({ length: least + pick(most - least + 1) }, () => oneOf(VOCABULARY, pick));
  const repository = sampleRepository(id, {
    owner: `owner-${Math.floor(pick(200_000))}`,
    name: `${words(1, 3).join('-')}${pick(1) < 0.3 ? '-template' : ''}`,
    description: words(4, 14).join(' '),
    stars: starsOf(pick),
    topics: ['davit-template', ...Array.from({ length: pick(4) }, () => oneOf(TOPIC_NAMES, pick))],
  });
  const publishedAt = new Date(1000 * publishedOf(pick)).toISOString();
  saveTemplate(records, repository, {
    release: sampleRelease('1.0.0', { publishedAt: publishedAt.replace('.000Z', 'Z') }),
    judgement: sampleAccepted({ readme: `# ${repository.name}\n\n${repository.description}\n`.repeat(3) }),
  });
}
