import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { writeAll } from './write-all.ts';

/**
 * Returns a file with a fixed maximum size. A write beyond this size fails. A write that fits only partly is done
 * partly.
 */
function disk(size: number) {
  const file = Buffer.alloc(size);
  return {
    file,
    async write(bytes: Buffer, from: number, length: number, at: number) {
      if (at >= size) throw Object.assign(new Error('write'), { code: 'ENOSPC' });
      return { bytesWritten: bytes.copy(file, at, from, from + Math.min(length, 3)), buffer: bytes };
    },
  };
}

describe('writeAll', () => {
  test('writes all bytes if each write accepts only a part', async () => {
    const { file, ...handle } = disk(12);

    await writeAll(handle, Buffer.from('0123456789'), 2);

    assert.equal(file.toString('latin1'), '\0\x000123456789');
  });

  test('fails if the disk has space for only a part', async () => {
    const { file: _, ...handle } = disk(8);

    await assert.rejects(writeAll(handle, Buffer.from('0123456789'), 2), { code: 'ENOSPC' });
  });
});
