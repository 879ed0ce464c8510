import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CACHE } from './checks.ts';
import { isUnit, needsMachine, type Tier } from './files.ts';

/** Assumed duration of a file without an earlier run, in milliseconds for each byte of its text. */
const UNIT_RATE = 0.1;
const WHOLE_RATE = 1;
const MACHINE_RATE = 3;
/**
 * Approximate durations in milliseconds, in `npm test` on two processors, of short files that take long. A fresh clone
 * has no earlier run. Without this table, these files would start last, and one of them would run alone at the end.
 */
export const SLOW_FILES: Readonly<Record<string, number>> = {
  'test/live/databases/outside.test.ts': 90_000,
  'test/live/databases/passwords.test.ts': 80_000,
  'test/live/deployments/lost-requests.test.ts': 50_000,
  'test/live/docs/shell-blocks.test.ts': 200_000,
  'test/live/engine/docker.test.ts': 300_000,
  'test/live/engine/recovery.test.ts': 70_000,
  'test/live/instance/crash-safety.test.ts': 90_000,
  'test/live/instance/first-day.test.ts': 170_000,
  'test/live/instance/power-cut.test.ts': 50_000,
  'test/live/platform-images/updates.test.ts': 250_000,
  'test/live/templates/first-day.test.ts': 230_000,
  'test/live/templates/install-crash.test.ts': 40_000,
  'test/live/templates/stacks.test.ts': 70_000,
};

/**
 * Durations of all test files in their last run of a tier. The longest files start first, so that none of them runs
 * alone at the end. The record is removed together with the packages; without it, files are sorted by
 * {@link SLOW_FILES} and by size.
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

  /** Returns the files in the order in which they should start. */
  longestFirst(files: readonly string[]): string[] {
    return this.longestFirstOf(files.map((file) => [file])).flat();
  }

  /** Like {@link longestFirst}, for groups of files that run together. */
  longestFirstOf(groups: readonly string[][]): string[][] {
    const timed = groups.map((group) => ({ group, ms: group.reduce((sum, file) => sum + this.expected(file), 0) }));
    return timed.sort((a, b) => b.ms - a.ms).map(({ group }) => group);
  }

  /** Returns the expected duration in milliseconds. */
  expected(file: string): number {
    return this.#known.get(file) ?? SLOW_FILES[file] ?? this.#guess(file);
  }

  /** Stores the durations of a run. Durations of other files stay, and deleted files are removed. */
  keep(results: readonly { file: string; ms: number }[]): void {
    for (const { file, ms } of results) this.#known.set(file, Math.round(ms));
    const there = [...this.#known].filter(([file]) => this.#size(file) > 0).sort(([a], [b]) => a.localeCompare(b));
    mkdirSync(dirname(this.#record), { recursive: true });
    // Two runs may end at the same time, so each replaces the record atomically.
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

/** Reads the record. Returns an empty map if it is missing or unreadable, which only affects the order of the files. */
function readRecord(path: string): Map<string, number> {
  try {
    const entries = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as object);
    return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return new Map();
  }
}
