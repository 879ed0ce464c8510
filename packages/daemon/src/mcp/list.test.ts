import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ROLES } from '@davit/api';
import { MOST_BYTES } from './data.ts';
import { toolPage } from './list.ts';
import { TOOLS } from './tools.ts';
import { type ToolChoice, toolChoice } from './toolsets.ts';

const ADMIN = { role: 'admin', projects: null } as const;
const ALL = toolChoice('tools=all');

function pagesOf(actor: Parameters<typeof toolPage>[0], choice: ToolChoice) {
  const pages = [toolPage(actor, choice, undefined) ?? assert.fail()];
  for (let next = pages[0]?.nextCursor; next !== undefined; next = pages.at(-1)?.nextCursor)
    pages.push(toolPage(actor, choice, next) ?? assert.fail());
  return pages;
}

const namesOf = (actor: Parameters<typeof toolPage>[0], choice: ToolChoice) =>
  pagesOf(actor, choice).flatMap(({ tools }) => tools.map(({ name }) => name));

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('the MCP tool list', () => {
  it('shares its tools between callers with different rights', () => {
    const all = pagesOf(ADMIN, ALL).flatMap(({ tools }) => tools);
    const some = pagesOf({ role: 'viewer', projects: [1] }, ALL).flatMap(({ tools }) => tools);
    assert.ok(some.length > 0 && some.length < all.length);
    for (const tool of some) assert.ok(all.includes(tool), tool.name);
  });

  it('is one page of at most 64 KiB by default, for every role', (t) => {
    for (const role of ROLES) {
      const pages = pagesOf({ role, projects: null }, toolChoice(''));
      t.diagnostic(`${role}: ${pages[0]?.tools.length} tools in ${bytesOf(pages[0])} bytes`);
      assert.equal(pages.length, 1);
      assert.ok(bytesOf(pages[0]) <= MOST_BYTES, String(bytesOf(pages[0])));
    }
  });

  it('has pages of at most 64 KiB that contain each tool once, in order', () => {
    for (const query of ['tools=all', 'tools=all&output_schemas=true']) {
      const pages = pagesOf(ADMIN, toolChoice(query));
      assert.ok(pages.length > 1);
      for (const page of pages) assert.ok(bytesOf(page) <= MOST_BYTES, String(bytesOf(page)));
      assert.deepEqual(
        namesOf(ADMIN, toolChoice(query)),
        TOOLS.map(({ name }) => name),
      );
    }
  });

  it('continues after a tool that the caller has lost meanwhile', () => {
    const lost = TOOLS.find(({ operation }) => operation.permission === 'administer') ?? assert.fail();
    const page = toolPage({ role: 'viewer', projects: null }, ALL, lost.name) ?? assert.fail();
    const later = TOOLS.slice(TOOLS.indexOf(lost)).map(({ name }) => name);
    assert.ok(page.tools.length > 0);
    for (const { name } of page.tools) assert.ok(later.includes(name), name);
  });

  it('has no page for an unknown cursor', () => {
    for (const cursor of ['', 'no_such_tool', 'DEPLOY_APP', '__proto__', '0'])
      assert.equal(toolPage(ADMIN, ALL, cursor), null);
  });

  it('contains the schemas of results only on request', () => {
    const outputs = (query: string) =>
      pagesOf(ADMIN, toolChoice(query)).flatMap(({ tools }) => tools.map((tool) => tool.outputSchema !== undefined));
    assert.ok(outputs('').every((is) => !is));
    assert.ok(outputs('tools=all').every((is) => !is));
    assert.ok(outputs('output_schemas=true').every((is) => is));
  });
});
