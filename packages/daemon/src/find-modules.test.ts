import assert from 'node:assert/strict';
import { globSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createResolve } from './find-modules.mjs';

const PACKAGES = join(import.meta.dirname, '../..');

/** Simulates the resolution of Node, as far as these tests need it. */
function nodesWay() {
  const asked: string[] = [];
  const next = (name: string) => {
    asked.push(name);
    if (name === 'missing') throw new Error('there is no such package');
    return { url: `file:///installed/${name}.js`, format: 'module' };
  };
  return { asked, next };
}

function from(parentURL: string | undefined) {
  return { conditions: ['node', 'import'], importAttributes: {}, parentURL };
}

describe('the modules of a start', () => {
  it('are where their sources say: none is a link, and all are in packages of modules', () => {
    const { next } = nodesWay();
    const resolve = createResolve();
    const sources = globSync('{api,service,daemon}/src/**/*.ts', { cwd: PACKAGES }).filter(
      (path) => !path.endsWith('.d.ts'),
    );
    let imports = 0;
    for (const source of sources) {
      const path = join(PACKAGES, source);
      for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/from '(\.[^']+\.ts)'/g)) {
        const { url, format } = resolve(name, from(pathToFileURL(path).href), next);
        const file = join(dirname(path), name);
        assert.equal(fileURLToPath(url), realpathSync(file), `${source} imports ${name}`);
        assert.equal(format, 'module-typescript');
        imports += 1;
      }
    }
    assert.ok(imports > 1000, `found ${imports} imports`);
    for (const name of ['api', 'service', 'daemon']) {
      const described = JSON.parse(readFileSync(join(PACKAGES, name, 'package.json'), 'utf8')) as { type?: string };
      assert.equal(described.type, 'module', name);
    }
  });
});

describe('a package that is installed', () => {
  const PARENT = 'file:///usr/src/davit/packages/daemon/src';

  it('is looked for once for all sources of a package, and anew for another package', () => {
    const { asked, next } = nodesWay();
    const resolve = createResolve();
    const first = resolve('zod', from(`${PARENT}/core/app.ts`), next);
    assert.deepEqual({ ...first }, { url: 'file:///installed/zod.js', format: 'module', shortCircuit: true });
    assert.equal(resolve('zod', from(`${PARENT}/http/deep/app.ts`), next), first);
    assert.deepEqual(asked, ['zod']);

    resolve('zod', from('file:///usr/src/davit/packages/api/src/app.ts'), next);
    assert.deepEqual(asked, ['zod', 'zod']);
  });

  it('finds its own files as Node does', () => {
    const { asked, next } = nodesWay();
    const resolve = createResolve();
    for (const parent of ['file:///node_modules/zod/index.js', undefined]) {
      resolve('./other.js', from(parent), next);
      resolve('./other.js', from(parent), next);
    }
    assert.equal(asked.length, 4);
  });

  it('is looked for again when it was not there', () => {
    const { asked, next } = nodesWay();
    const resolve = createResolve();
    for (const _ of [1, 2]) assert.throws(() => resolve('missing', from(`${PARENT}/app.ts`), next), /no such package/);
    assert.deepEqual(asked, ['missing', 'missing']);
  });

  it('has its sentences in English alone, when it is zod', () => {
    const { asked, next } = nodesWay();
    const resolve = createResolve();
    resolve('../locales/index.js', from('file:///davit/node_modules/zod/v4/core/index.js'), next);
    resolve('../locales/index.js', from('file:///davit/node_modules/other/core/index.js'), next);
    assert.deepEqual(asked, ['../locales/en.js', '../locales/index.js']);
  });

  it('is what a file of another form is left to', () => {
    const { asked, next } = nodesWay();
    createResolve()('./package.json', from(`${PARENT}/app.ts`), next);
    assert.deepEqual(asked, ['./package.json']);
  });
});
