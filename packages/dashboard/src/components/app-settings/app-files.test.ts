import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type App, AppPatch } from '@davit/api';
import { FILES, type FileRow, NEW_FILE } from './app-files.ts';

const KEPT = { path: '/etc/app/a.yaml', mode: '0644', version: '0123456789abcdef' };
const APP = { files: [KEPT] } as App;
const row = (more: Partial<FileRow> = {}): FileRow => ({ ...NEW_FILE, path: '/etc/app/b.yaml', ...more });

describe('the files of an app', () => {
  it('keep their content unless edited, even after a change of the path', () => {
    const [kept] = FILES.of(APP);
    assert.ok(kept);
    assert.deepEqual(FILES.sent([kept], APP), [KEPT]);
    assert.deepEqual(FILES.sent([{ ...kept, path: ' /etc/other ' }], APP), [{ ...KEPT, path: '/etc/other' }]);
    assert.deepEqual(FILES.sent([{ ...kept, content: 'b' }], APP), [
      { path: KEPT.path, mode: KEPT.mode, content: 'b' },
    ]);
  });

  it('are sent in a format that the API accepts', () => {
    const files = FILES.sent([...FILES.of(APP), row({ content: '' })], APP);
    assert.ok(AppPatch.safeParse({ files }).success);
  });

  it('are validated before a request is sent', () => {
    assert.equal(FILES.check([row()]), null);
    assert.match(FILES.check([row({ path: 'etc/b' })]) ?? '', /^File 1: the path must be absolute/);
    assert.match(FILES.check([row(), row({ path: '/c', mode: 'rw' })]) ?? '', /^File 2: the mode/);
    assert.match(FILES.check([row(), row()]) ?? '', /used twice/);
    assert.match(FILES.check([row({ content: 'é'.repeat(40_000) })]) ?? '', /maximum is 64 KiB/);
  });

  it('are summarized without their content', () => {
    assert.equal(FILES.say([]), 'none');
    assert.equal(FILES.say([row({ content: 'secret' })]), '/etc/app/b.yaml (new)');
    assert.equal(FILES.say([row({ content: 'secret', version: 'a' })]), '/etc/app/b.yaml (changed)');
  });

  it('have error messages with file numbers that start at 1', () => {
    const words = FILES.wordsOf?.('.1.path', 'must not use another file as a folder.');
    assert.equal(words, 'File 2: the path must not use another file as a folder.');
  });
});
