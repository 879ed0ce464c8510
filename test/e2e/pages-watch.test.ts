/** The page watcher of the browser tests: it reports requests to unexpected hosts and blocks them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser, type Noted, watch } from '../support/pages.ts';

/** Pages of the only host that a page may contact. */
const PAGES: Record<string, string> = {
  '/clean': '<link rel="icon" href="data:,"><p>clean</p><img src="/own.svg">',
  '/image': '<link rel="icon" href="data:,"><img src="https://beacon.example/pixel.png">',
  '/fetch': '<link rel="icon" href="data:,"><script>fetch("http://192.0.2.7/x").catch(() => {})</script>',
  '/broken': '<link rel="icon" href="data:,"><script>console.error("broken")</script><img src="/gone.svg">',
};
const IMAGE = '<svg xmlns="http://www.w3.org/2000/svg"/>';

describe('the page watcher of the browser tests', () => {
  let server: Server;
  let browser: Browser;
  let url: string;
  before(async () => {
    server = createServer((request, response) => {
      const page = PAGES[request.url ?? ''];
      if (page !== undefined) return response.setHeader('content-type', 'text/html').end(page);
      if (request.url === '/own.svg') return response.setHeader('content-type', 'image/svg+xml').end(IMAGE);
      return response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser(['*.davit.test']);
  });
  after(async () => {
    await browser.close();
    server.close();
  });

  /** Returns the watcher's report after all requests of the page have completed or failed. */
  async function noted(address: string): Promise<Noted> {
    const context = await browser.newContext();
    const found = watch(context, (origin) => origin === url);
    const page = await context.newPage();
    await page.goto(address, { waitUntil: 'networkidle' });
    await context.close();
    return found;
  }

  it('reports nothing for a page that contacts only its own host', async () => {
    assert.deepEqual(await noted(`${url}/clean`), { complaints: [], foreign: [] });
  });

  it('reports an image of another host', async () => {
    assert.deepEqual(await noted(`${url}/image`), { complaints: [], foreign: ['https://beacon.example/pixel.png'] });
  });

  it('reports a script’s request to an IP address', async () => {
    assert.deepEqual(await noted(`${url}/fetch`), { complaints: [], foreign: ['http://192.0.2.7/x'] });
  });

  it('reports console errors and missing files of the page’s own host', async () => {
    const { complaints, foreign } = await noted(`${url}/broken`);
    const [missing = '', broken] = complaints.toSorted();
    assert.match(missing, /^Failed to load resource.* status of 404/);
    assert.equal(broken, 'broken');
    assert.deepEqual(foreign, []);
  });

  it('resolves only the given host names to the test server', async () => {
    const named = url.replace('127.0.0.1', 'app.davit.test');
    assert.deepEqual((await noted(`${named}/clean`)).foreign.slice(0, 1), [`${named}/clean`]);
    await assert.rejects(noted(url.replace('127.0.0.1', 'app.davit.example')), /ERR_NAME_NOT_RESOLVED/);
  });
});
