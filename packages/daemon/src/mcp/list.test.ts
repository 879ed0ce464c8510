import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toolsFor } from './list.ts';

describe('the MCP tool list', () => {
  it('is cached for all callers with the same rights', () => {
    const first = toolsFor({ role: 'member', projects: null });
    assert.equal(toolsFor({ role: 'member', projects: null }), first);
    assert.equal(toolsFor({ role: 'member', projects: [2] }), toolsFor({ role: 'member', projects: [1] }));
  });

  it('shares its tools between callers with different rights', () => {
    const all = toolsFor({ role: 'admin', projects: null });
    const some = toolsFor({ role: 'viewer', projects: [1] });
    assert.ok(some.length > 0 && some.length < all.length);
    for (const tool of some) assert.ok(all.includes(tool), tool.name);
  });
});
