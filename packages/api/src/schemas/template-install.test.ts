import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TemplateSource } from './template-install-input.ts';

it('TemplateSource accepts branches, tags and commits as ref and refuses path traversal', () => {
  const takes = (ref: string) => TemplateSource.safeParse({ repository: 'https://github.com/acme/app', ref }).success;
  for (const ref of ['HEAD', 'v1.2.0', 'release/2026.1', 'a'.repeat(40)]) assert.ok(takes(ref), ref);
  for (const ref of ['v1/../../../evil/x/main', 'v1..2', 'a/./b', 'a/.git', 'a//b', 'a/', '../x', '-x', ''])
    assert.equal(takes(ref), false, ref);
});
