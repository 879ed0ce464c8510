import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DESTINATIONS, isUnderTab } from './destinations.ts';

const markedAt = (pathname: string) => DESTINATIONS.filter((one) => isUnderTab(one, pathname)).map(({ name }) => name);

describe('navigation', () => {
  it('marks the parent destination on pages reached by tabs', () => {
    assert.deepEqual(markedAt('/installs'), ['Templates']);
    assert.deepEqual(markedAt('/installs/7'), ['Templates']);
    assert.deepEqual(markedAt('/backups'), ['Databases']);
    assert.deepEqual(markedAt('/tasks/12'), ['Databases']);
  });

  it('marks no destination for its own subpages or similar paths', () => {
    assert.deepEqual(markedAt('/databases/shop/production/main'), []);
    assert.deepEqual(markedAt('/tasks-of-others'), []);
  });
});
