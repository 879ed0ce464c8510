/**
 * Started by `collect-files.ts` with the test files that share this process: each is one suite under its path, so that its
 * hooks are its own and every case is known to be of it, wherever the case is written.
 */
import { AsyncResource } from 'node:async_hooks';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

const [root = '', ...files] = process.argv.slice(2);
// A file under test that looks at its arguments is given none.
process.argv.length = 2;
// One is loaded after the other: a file that waits for a module which another file loads would add its cases to that file's.
let loaded: Promise<void> = Promise.resolve();
for (const file of files) {
  describe(file, async () => {
    // The runner adds cases to the suite in whose scope they are written.
    const suite = new AsyncResource(file);
    const before = loaded;
    const { promise, resolve } = Promise.withResolvers<void>();
    loaded = promise;
    await before;
    const load = () => import(pathToFileURL(`${root}/${file}`).href);
    await suite.runInAsyncScope(load).finally(resolve);
  });
}
