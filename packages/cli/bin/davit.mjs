#!/usr/bin/env node
/** What `davit` starts: the bundle when installed from a package; in the repository the sources themselves. */
import { existsSync } from 'node:fs';

const source = new URL('../src/main.ts', import.meta.url);
if (existsSync(source)) {
  const { runSources } = await import('../../../scripts/lib/run-sources.mjs');
  runSources(source);
} else {
  await import('../dist/davit.mjs');
}
