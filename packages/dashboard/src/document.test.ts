import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

test('the HTML document has a title, a language and a description for search engines and link previews', () => {
  const document = readFileSync(new URL('../index.html', import.meta.url), 'utf8');

  assert.match(document, /<html lang="en">/);
  assert.match(document, /<title>Davit<\/title>/);
  assert.match(document, /<meta\s+name="description"\s+content="[^"]{40,160}"\s+\/>/);
});
