/**
 * Started by `collect-files.ts` with the test files that share this process: each is one suite under its path, so that its
 * hooks are its own and every case is known to be of it, wherever the case is written.
 */
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

const [root = '', ...files] = process.argv.slice(2);
// A file under test that looks at its arguments is given none.
process.argv.length = 2;
for (const file of files) {
  describe(file, async () => {
    await import(pathToFileURL(`${root}/${file}`).href);
  });
}
