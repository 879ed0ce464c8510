import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DESTINATIONS, isUnderTab } from './destinations.ts';

const markedAt = (pathname: string) => DESTINATIONS.filter((one) => isUnderTab(one, pathname)).map(({ name }) => name);

describe('the navigation', () => {
  it('marks where one is also on pages that are reached by tabs', () => {
    assert.deepEqual(markedAt('/installs'), ['Templates']);
    assert.deepEqual(markedAt('/installs/7'), ['Templates']);
    assert.deepEqual(markedAt('/backups'), ['Databases']);
    assert.deepEqual(markedAt('/tasks/12'), ['Databases']);
  });

  it('leaves the pages of a destination to the router', () => {
    assert.deepEqual(markedAt('/databases/shop/production/main'), []);
    assert.deepEqual(markedAt('/tasks-of-others'), []);
  });
});
