/**
 * Runs test files that share a process, started by `collect-files.ts`. Each file becomes a suite named by its path, so
 * that its hooks apply only to it and each case can be attributed to it.
 */
import { AsyncResource } from 'node:async_hooks';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

const [root = '', ...files] = process.argv.slice(2);
// A test file that reads its arguments must see none.
process.argv.length = 2;
// If a file waited for a module that another file loads, its cases would join the suite of that file.
let loaded: Promise<void> = Promise.resolve();
for (const file of files) {
  describe(file, async () => {
    // The runner adds cases to the suite of the asynchronous scope in which they are declared.
    const suite = new AsyncResource(file);
    const before = loaded;
    const { promise, resolve } = Promise.withResolvers<void>();
    loaded = promise;
    await before;
    const load = () => import(pathToFileURL(`${root}/${file}`).href);
    await suite.runInAsyncScope(load).finally(resolve);
  });
}
