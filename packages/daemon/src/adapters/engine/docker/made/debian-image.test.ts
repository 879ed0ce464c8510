import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { debianImageReference } from './debian-image.ts';
import { libraryPackages } from './debian-packages.ts';
import type { DebianImage } from './debian-recipe.ts';
import { readElfNeeds } from './elf.ts';

const recipe: DebianImage = {
  name: 'example',
  packages: ['example'],
  binaries: ['/usr/bin/example'],
  entrypoint: ['/usr/bin/example'],
  files: { '/etc/passwd': 'root:x:0:0::/:\n', '/etc/group': 'root:x:0:\n' },
};

test('debianImageReference returns the same reference regardless of the order of files', () => {
  const reordered = { ...recipe, files: { '/etc/group': 'root:x:0:\n', '/etc/passwd': 'root:x:0:0::/:\n' } };

  assert.match(debianImageReference(recipe), /^davit\/example:[0-9a-f]{16}$/);
  assert.equal(debianImageReference(reordered), debianImageReference(recipe));
});

test('debianImageReference returns another reference if the content of the image changes', () => {
  const changes: Partial<DebianImage>[] = [
    { packages: ['example', 'more'] },
    { binaries: ['/usr/sbin/example'] },
    { entrypoint: ['/usr/bin/example', '-v'] },
    { files: {} },
    { folders: ['/usr/share/example'] },
    { env: { PATH: '/bin' } },
  ];

  const references = changes.map((change) => debianImageReference({ ...recipe, ...change }));

  assert.equal(new Set([debianImageReference(recipe), ...references]).size, changes.length + 1);
});

test('debianImageReference uses the tag of the recipe if a tag is set', () => {
  const tagged = { ...recipe, tag: '15', folders: ['/usr/share/example'] };

  assert.equal(debianImageReference(tagged), 'davit/example:15');
});

test('libraryPackages reads libraries from both dependency fields and takes the first alternative', () => {
  const fields = [
    'Pre-Depends: dpkg (>= 1.17.14), libc6 (>= 2.34)',
    'Depends: libssl3t64 (>= 3.0.0), libgcc-s1 | libgcc1, adduser, libc6, perl | libperl5, libstdc++6:any',
  ].join('\n');

  assert.deepEqual(libraryPackages(fields), ['libc6', 'libssl3t64', 'libgcc-s1', 'libstdc++6']);
});

test('readElfNeeds returns the loader and libraries of the running binary', async () => {
  const needs = readElfNeeds(await readFile(process.execPath));

  assert.match(needs.interpreter ?? '', /ld-linux/);
  assert.ok(needs.libraries.includes('libc.so.6'));
});

test('readElfNeeds refuses a file that is not an ELF file', () => {
  assert.throws(() => readElfNeeds(Buffer.from('#!/bin/sh\n'.padEnd(100))), /is not a 64-bit little-endian ELF file/);
});
