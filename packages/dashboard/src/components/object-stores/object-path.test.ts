import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldersTo, nameWithin, uploadCommand } from './object-path.ts';

describe('bucket folders', () => {
  it('lists the path from the bucket to the shown folder', () => {
    assert.deepEqual(foldersTo('media', ''), [{ name: 'media', prefix: '' }]);
    assert.deepEqual(foldersTo('media', 'a/b/'), [
      { name: 'media', prefix: '' },
      { name: 'a', prefix: 'a/' },
      { name: 'b', prefix: 'a/b/' },
    ]);
  });

  it('shows object names relative to the folder', () => {
    assert.equal(nameWithin('a/b/ship.jpg', 'a/b/'), 'ship.jpg');
    assert.equal(nameWithin('a/b/', 'a/'), 'b/');
    assert.equal(nameWithin('other', 'a/'), 'other');
  });

  it('quotes the file name and the URL in the upload command', () => {
    const command = uploadCommand('https://s3.example.com/media/it?X-Amz-Signature=1&x=2', "ship's log.txt");
    assert.equal(
      command,
      `curl --fail --upload-file 'ship'\\''s log.txt' 'https://s3.example.com/media/it?X-Amz-Signature=1&x=2'`,
    );
  });
});
