import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldersTo, nameWithin, uploadCommand } from './object-path.ts';

describe('folders of a bucket', () => {
  it('lead from the bucket to the one that is shown', () => {
    assert.deepEqual(foldersTo('media', ''), [{ name: 'media', prefix: '' }]);
    assert.deepEqual(foldersTo('media', 'a/b/'), [
      { name: 'media', prefix: '' },
      { name: 'a', prefix: 'a/' },
      { name: 'b', prefix: 'a/b/' },
    ]);
  });

  it('have names of their own within it', () => {
    assert.equal(nameWithin('a/b/ship.jpg', 'a/b/'), 'ship.jpg');
    assert.equal(nameWithin('a/b/', 'a/'), 'b/');
    assert.equal(nameWithin('other', 'a/'), 'other');
  });

  it('get files by a command that a shell takes as it is meant', () => {
    const command = uploadCommand('https://s3.example.com/media/it?X-Amz-Signature=1&x=2', "ship's log.txt");
    assert.equal(
      command,
      `curl --fail --upload-file 'ship'\\''s log.txt' 'https://s3.example.com/media/it?X-Amz-Signature=1&x=2'`,
    );
  });
});
