import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findReferences } from './references.ts';

const PATH = 'packages/daemon/src/db/check.ts';

describe('the references of a source', () => {
  it('include scripts of workers and child processes, which get the name of their bundle', () => {
    const { scripts, text } = findReferences(
      "new URL('./worker.ts', import.meta.url); fork(join(import.meta.dirname, 'child.ts')); new URL('a.mjs', import.meta.url)",
      PATH,
    );
    assert.deepEqual(scripts.sort(), [
      'packages/daemon/src/db/a.mjs',
      'packages/daemon/src/db/child.ts',
      'packages/daemon/src/db/worker.ts',
    ]);
    assert.equal(
      text,
      "new URL('./worker.js', import.meta.url); fork(join(import.meta.dirname, 'child.js')); new URL('a.mjs', import.meta.url)",
    );
  });

  it('leave the imports of a script unchanged', () => {
    const { text } = findReferences(
      "import type { A } from './worker.ts';\nnew URL('./worker.ts', import.meta.url)",
      PATH,
    );
    assert.match(text, /from '\.\/worker\.ts'/);
  });

  it('include files, with a pattern for a name that the source computes', () => {
    const { files } = findReferences(
      `readFileSync(join(import.meta.dirname, \`\${engine}.sh\`)); readFileSync(new URL('../rules.lua', import.meta.url))`,
      PATH,
    );
    assert.deepEqual(files.sort(), ['packages/daemon/src/db/*.sh', 'packages/daemon/src/rules.lua']);
  });

  it('include files of packages', () => {
    const { packageFiles } = findReferences("import.meta.resolve('@davit/dashboard/package.json')", PATH);
    assert.deepEqual(packageFiles, ['@davit/dashboard/package.json']);
  });

  it('in an unknown form are an error', () => {
    assert.throws(() => findReferences('readFileSync(import.meta.dirname + name)', PATH), /packages\/daemon/);
    assert.throws(() => findReferences('const here = import.meta.url;', PATH));
  });
});
