import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { draftWith, meaningOf } from '../../test/support/drafts.ts';
import type { DraftFile } from '../draft.ts';

const NEW = { minVersion: '0.1.0' };

describe('reported problems of files', () => {
  const file = (path: string, content = ''): DraftFile => ({ path, content });
  const cases: [what: string, files: DraftFile[], said: string[]][] = [
    ['none for several files', [file('/etc/a'), file('/etc/ab'), file('/b')], []],
    ['a path that is not absolute', [file('a')], ['file.path 0.path']],
    ['a folder', [file('/etc/')], ['file.path 0.path']],
    ['a path below /proc', [file('/proc/x')], ['file.path 0.path']],
    ['a duplicate path', [file('/a'), file('/x/../a')], ['file.duplicate 1.path']],
    ['a file below a file', [file('/a/b/c'), file('/a/b'), file('/a-b')], ['file.path 0.path']],
    ['a file in a volume', [file('/data/a'), file('/database')], ['file.in-volume 0.path']],
    ['a file at the path of a volume', [file('/data')], ['file.in-volume 0.path']],
    ['none for a file of 64 KiB', [file('/a', 'x'.repeat(65_536))], []],
    ['a file of more than 64 KiB', [file('/a', 'x'.repeat(65_537))], ['file.size 0.content']],
    ['a file of more than 64 KiB with fewer characters', [file('/a', 'ä'.repeat(32_769))], ['file.size 0.content']],
  ];
  for (const [what, files, said] of cases) {
    test(what, () => {
      const draft = draftWith({ files, volumes: [{ path: '/data/' }] }, { ...NEW, minCubeship: '0.7.0' });
      assert.deepEqual(
        meaningOf(draft),
        said.map((one) => one.replace(' ', ' apps.0.files.')),
      );
    });
  }
});

describe('reported problems of volume sizes', () => {
  const cases: [size: string, isRight: boolean][] = [
    ['10Gi', true],
    ['1Mi', true],
    ['1048575', false],
    ['much', false],
    ['-1Gi', false],
  ];
  for (const [size, isRight] of cases) {
    test(`reports ${isRight ? 'no problem' : 'a problem'} for the size ${size}`, () => {
      const draft = draftWith({ volumes: [{ path: '/a', size }] }, { ...NEW, minCubeship: '0.7.0' });
      assert.deepEqual(meaningOf(draft), isRight ? [] : ['volume.size apps.0.volumes.0.size']);
    });
  }
});
