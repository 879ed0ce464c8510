import assert from 'node:assert/strict';
import { it } from 'node:test';
import { browserName } from './browser-name.ts';

it('derives browser and system names from the user agent', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const edge = `${chrome.replace('X11; Linux x86_64', 'Windows NT 10.0')} Edg/140.0.0.0`;
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
  assert.equal(browserName(chrome), 'Chrome on Linux');
  assert.equal(browserName(edge), 'Edge on Windows');
  assert.equal(browserName(safari), 'Safari on iOS');
  assert.equal(browserName('curl/8.0'), 'curl');
  assert.equal(browserName('something else'), 'something else');
  assert.equal(browserName(null), 'Unknown browser');
});
