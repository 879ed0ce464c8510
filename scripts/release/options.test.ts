import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readOptions } from './options.ts';

describe('the arguments of the release command', () => {
  it('build both architectures by default', () => {
    assert.deepEqual(readOptions(['--out', '/out', '--unsigned']), {
      out: '/out',
      architectures: ['x64', 'arm64'],
      key: null,
    });
  });

  it('need a key or the option --unsigned, but not both', () => {
    const key = import.meta.filename;
    assert.deepEqual(readOptions(['--out', '/out', '--arch', 'arm64', '--key', key]), {
      out: '/out',
      architectures: ['arm64'],
      key,
    });
    for (const args of [[], ['--key', key, '--unsigned'], ['--key', '/no/such/key']])
      assert.ok('problem' in readOptions(['--out', '/out', ...args]), args.join(' '));
  });

  it('are refused with an unknown architecture, an unknown option or without a folder', () => {
    for (const args of [['--out', '/out', '--arch', 'mips', '--unsigned'], ['--unsigned'], ['--out', '/out', '--sign']])
      assert.ok('problem' in readOptions(args), args.join(' '));
  });
});
