import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { cleanMountPath } from './mount-path.ts';

describe('cleanMountPath', () => {
  const cases: [written: string, clean: string | null][] = [
    ['/data', '/data'],
    ['/data/', '/data'],
    [' /data ', '/data'],
    ['/x/../y', '/y'],
    ['//a///b', '/a/b'],
    ['/a/./b', '/a/b'],
    ['/../a', '/a'],
    ['/procs', '/procs'],
    ['/device/x', '/device/x'],
    ['/var/proc', '/var/proc'],
    ['/', null],
    ['/..', null],
    ['/a/..', null],
    ['data', null],
    ['./data', null],
    ['', null],
    ['/a:b', null],
    ['/a,b', null],
    ['/a\0b', null],
    ['/proc', null],
    ['/proc/1', null],
    ['/sys/', null],
    ['/dev/shm', null],
    ['/data/../proc', null],
  ];
  for (const [written, clean] of cases) {
    test(`cleans “${written.replace('\0', '␀')}” to ${clean}`, () => assert.equal(cleanMountPath(written), clean));
  }
});
