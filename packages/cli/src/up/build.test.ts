import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { buildImage, NO_BUILD } from './build.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-build-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('buildImage', () => {
  it('turns off the Git queries of buildx and keeps other variables', async () => {
    const docker = `#!/bin/sh\necho "$BUILDX_GIT_INFO $BUILDX_GIT_LABELS $KEPT" > "${folder}/told"\nwhile [ "$1" != --iidfile ]; do shift; done\necho sha256:1 > "$2"\n`;
    await writeFile(join(folder, 'docker'), docker, { mode: 0o755 });
    const { PATH } = process.env;
    Object.assign(process.env, { PATH: `${folder}:${PATH}`, KEPT: 'kept' });
    try {
      const paths = { context: folder, dockerfile: join(folder, 'Dockerfile') };
      const id = await buildImage(NO_BUILD, paths, null, { signal: new AbortController().signal });
      assert.equal(id, 'sha256:1');
    } finally {
      process.env.PATH = PATH;
      delete process.env.KEPT;
    }
    assert.equal(await readFile(join(folder, 'told'), 'utf8'), 'false false kept\n');
  });
});
