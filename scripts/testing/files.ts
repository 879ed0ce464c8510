import { globSync } from 'node:fs';
import { dirname, matchesGlob } from 'node:path';

export type Tier = 'check' | 'test' | 'long';

export interface TestFiles {
  /** Files without special needs. */
  free: string[];
  /** Files that use the engine of the machine, two at a time. */
  engine: string[];
  /** Files that use a browser. These files run in a separate network, or after the others if that is impossible. */
  browser: string[];
}

const UNITS = ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.mjs', 'scripts/**/*.test.ts', 'test/openapi.test.ts'];
const WHOLE = ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'];
const ENGINE = /^test\/live\//;
const BROWSER = /^test\/e2e\//;

export function isUnit(file: string): boolean {
  return UNITS.some((pattern) => matchesGlob(file, pattern));
}

export function inBrowser(file: string): boolean {
  return BROWSER.test(file);
}

/** Returns whether a file belongs to a suite that needs a real engine or browser. */
export function needsMachine(file: string): boolean {
  return ENGINE.test(file) || inBrowser(file);
}

/**
 * Returns the test files of a tier, relative to the repository, in the order of their folders.
 * @param only part of the path of the selected files
 */
export function selectFiles(tier: Tier, root: string, only: string | null): TestFiles {
  const patterns = tier === 'check' ? UNITS : [...UNITS, ...WHOLE];
  const found = globSync(patterns, { cwd: root, exclude: (path) => path.endsWith('node_modules') });
  const files = [...new Set(found)]
    .filter((file) => only === null || file.includes(only))
    .sort((a, b) => dirname(a).localeCompare(dirname(b)) || a.localeCompare(b));
  return {
    free: files.filter((file) => !needsMachine(file)),
    engine: files.filter((file) => ENGINE.test(file)),
    browser: files.filter(inBrowser),
  };
}
