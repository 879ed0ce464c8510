import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CACHE } from './checks.ts';
import { isUnit, needsMachine, type Tier } from './files.ts';

/** What a file is taken to need while no run has said: milliseconds a byte of its text. */
const UNIT_RATE = 0.1;
const WHOLE_RATE = 1;
const MACHINE_RATE = 3;

/**
 * How long each test file took in the last run of a tier that had it. The longest start first, so that no long one is left
 * to run alone at the end. It goes with the packages; without it the files are ordered by their sizes.
 */
export class Durations {
  readonly #root: string;
  readonly #record: string;
  readonly #known: Map<string, number>;

  constructor(root: string, tier: Tier) {
    this.#root = root;
    this.#record = join(root, CACHE, `milliseconds-${tier}.json`);
    this.#known = readRecord(this.#record);
  }

  /** In the order in which they are to start. */
  longestFirst(files: readonly string[]): string[] {
    return this.longestFirstOf(files.map((file) => [file])).flat();
  }

  /** The same of files that are run together. */
  longestFirstOf(groups: readonly string[][]): string[][] {
    const timed = groups.map((group) => ({ group, ms: group.reduce((sum, file) => sum + this.expected(file), 0) }));
    return timed.sort((a, b) => b.ms - a.ms).map(({ group }) => group);
  }

  /** Milliseconds. */
  expected(file: string): number {
    return this.#known.get(file) ?? this.#guess(file);
  }

  /** Keeps what a run has found; what it left out stays as it was, and what is gone is forgotten. */
  keep(results: readonly { file: string; ms: number }[]): void {
    for (const { file, ms } of results) this.#known.set(file, Math.round(ms));
    const there = [...this.#known].filter(([file]) => this.#size(file) > 0).sort(([a], [b]) => a.localeCompare(b));
    mkdirSync(dirname(this.#record), { recursive: true });
    // Two runs may end at once: each leaves a whole record.
    const made = `${this.#record}.${process.pid}`;
    writeFileSync(made, `${JSON.stringify(Object.fromEntries(there), null, 1)}\n`);
    renameSync(made, this.#record);
  }

  #guess(file: string): number {
    const rate = needsMachine(file) ? MACHINE_RATE : isUnit(file) ? UNIT_RATE : WHOLE_RATE;
    return this.#size(file) * rate;
  }

  #size(file: string): number {
    return statSync(join(this.#root, file), { throwIfNoEntry: false })?.size ?? 0;
  }
}

/** Nothing, where there is no record or none that can be read: it only costs a worse order. */
function readRecord(path: string): Map<string, number> {
  try {
    const entries = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as object);
    return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return new Map();
  }
}
