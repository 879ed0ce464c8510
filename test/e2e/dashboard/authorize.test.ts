/**
 * OAuth authorization of an MCP client in a real browser: the user grants or denies access, and can disconnect the
 * client later.
 */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { ADMIN, type ClientHost, cookieOf, signIn, startClientHost } from '@davit/testkit';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type DashboardBrowser, type DashboardVisit, openDashboard } from '../../support/dashboard-browser.ts';
import { barriers, LOOKS } from '../../support/pages.ts';
import { inLong } from '../../support/tiers.ts';

type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>;
type Information = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;

/** OAuth client that stores its tokens in memory and opens no browser. */
class Program implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadataUrl: string;
  readonly clientMetadata;
  opened: URL | null = null;
  #tokens: Tokens;
  #verifier = '';
  #information: Information;

  constructor(metadataUrl: string, redirectUrl: string) {
    this.clientMetadataUrl = metadataUrl;
    this.redirectUrl = redirectUrl;
    this.clientMetadata = { client_name: 'Editor', redirect_uris: [redirectUrl], scope: 'read operate' };
  }

  state = () => 'a-state';
  clientInformation = () => this.#information;
  saveClientInformation = (information: Information) => {
    this.#information = information;
  };
  tokens = () => this.#tokens;
  saveTokens = (tokens: Tokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.opened = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
}

describe('the consent page for API clients', () => {
  let host: ClientHost;
  let fixture: DashboardBrowser;
  let waiting: Server;
  /** Redirect URI at which the client receives the authorization response. */
  let callback: string;

  before(async () => {
    // Status 204 keeps the browser on its current page.
    waiting = createServer((_, response) => response.writeHead(204).end());
    await new Promise<void>((resolve) => waiting.listen(0, '127.0.0.1', resolve));
    callback = `http://127.0.0.1:${(waiting.address() as AddressInfo).port}/callback`;
    host = await startClientHost();
    // Clients of earlier protocol versions open a stream with GET, which the daemon refuses.
    fixture = await openDashboard({ clients: { ca: host.ca, mayAsk: () => true }, meant: ['GET /mcp'] });
  });
  after(async () => {
    await fixture?.[Symbol.asyncDispose]();
    waiting?.close();
    await host?.[Symbol.asyncDispose]();
  });

  /** Connects a client without a token. @returns the client, its transport and the path of the consent page */
  async function requestAccess(): Promise<{
    program: Program;
    transport: StreamableHTTPClientTransport;
    path: string;
  }> {
    const id = host.describe('/editor.json', { client_name: 'Editor', redirect_uris: ['http://127.0.0.1/callback'] });
    const program = new Program(id, callback);
    const url = new URL('/mcp', fixture.daemon.url);
    const transport = new StreamableHTTPClientTransport(url, { authProvider: program });
    await assert.rejects(new Client({ name: 'editor', version: '1' }).connect(transport), UnauthorizedError);
    const opened = program.opened;
    assert.ok(opened !== null && opened.origin === url.origin, 'it opens a page of the instance');
    return { program, transport, path: opened.pathname + opened.search };
  }

  /** Presses a button of the consent page. @returns the redirect URI with the parameters that the client receives */
  async function answerAfter({ page, foreign }: DashboardVisit, button: string): Promise<URLSearchParams> {
    const [callbackRequest] = await Promise.all([
      page.waitForEvent('request', (request) => request.url().startsWith(callback)),
      page.getByRole('button', { name: button }).click(),
    ]);
    // The redirect URI is the only foreign address that the page may open.
    assert.deepEqual(foreign.splice(0), [callbackRequest.url()]);
    return new URL(callbackRequest.url()).searchParams;
  }

  it('names the client and grants access, and the account page disconnects the client', async () => {
    const { program, transport, path } = await requestAccess();
    await using visited = await fixture.visit(path, { role: 'member' });
    const { page } = visited;
    await page.getByRole('heading', { level: 1, name: 'Give Editor access?' }).waitFor();
    assert.ok(await page.getByRole('radio', { name: 'viewer' }).isChecked(), 'reading is chosen');
    await page.getByText(new URL(host.url).host, { exact: false }).first().waitFor();
    assert.deepEqual(await barriers(page), []);

    await transport.finishAuth(await answerAfter(visited, 'Allow access'));
    const client = new Client({ name: 'editor', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', fixture.daemon.url), { authProvider: program }),
    );
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.ok(names.includes('list_apps'));
    assert.ok(!names.includes('deploy_app'), 'it may read, and nothing else');
    await client.callTool({ name: 'list_apps', arguments: {} });

    await page.goto(`${fixture.daemon.url}/account`);
    const row = page.getByRole('row', { name: /Editor/ });
    await row.getByText('viewer in all projects').waitFor();
    await row.getByRole('button', { name: 'Disconnect Editor' }).click();
    const question = page.getByRole('dialog');
    await question.getByRole('button', { name: 'Disconnect' }).click();
    // An open dialog hides the elements behind it from role queries.
    await question.waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    await assert.rejects(client.callTool({ name: 'list_apps', arguments: {} }));
    await client.close();
  });

  it('returns access_denied to the client if the user denies access', async () => {
    const { transport, path } = await requestAccess();
    await using visited = await fixture.visit(path);
    const answer = await answerAfter(visited, 'Deny');
    assert.deepEqual([answer.get('error'), answer.get('state')], ['access_denied', 'a-state']);
    await assert.rejects(transport.finishAuth(answer));
  });

  it('asks an anonymous user to sign in first and then returns to the request', inLong, async () => {
    const { path } = await requestAccess();
    await using visited = await fixture.visit(path, { role: null });
    visited.expectRefusal(401);
    const { page } = visited;
    await page.getByRole('textbox', { name: 'Username' }).fill('admin');
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Give Editor access?' }).waitFor();
  });

  it('names the signed-in user and lets another user sign in and return', inLong, async () => {
    const { path } = await requestAccess();
    await using visited = await fixture.visit(path, { role: 'viewer', ownSession: true });
    const { page } = visited;
    const username = await page
      .getByText(/^You are signed in as /)
      .locator('strong')
      .textContent();
    assert.notEqual(username, ADMIN.username);
    visited.expectRefusal(401);
    await page.getByRole('button', { name: 'Sign in as another user' }).click();
    await page.getByRole('textbox', { name: 'Username' }).fill(ADMIN.username);
    await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(`You are signed in as ${ADMIN.username}.`).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Give Editor access?' }).waitFor();
  });

  it('grants no access if another user has signed in since in another tab', async () => {
    const { path } = await requestAccess();
    await using visited = await fixture.visit(path, { role: 'viewer', ownSession: true });
    const { page } = visited;
    const shown = page.getByText(/^You are signed in as /);
    assert.doesNotMatch((await shown.textContent()) ?? '', new RegExp(ADMIN.username));
    const [name = '', value = ''] = cookieOf(await signIn(fixture.daemon, ADMIN)).split('=');
    await visited.context.addCookies([{ name, value, url: fixture.daemon.url, httpOnly: true }]);
    await page.getByRole('button', { name: 'Allow access' }).click();
    await page.getByText(`You are signed in as ${ADMIN.username}.`).waitFor();
    assert.deepEqual(
      visited.asked.filter((one) => one.includes('/oauth/consent')),
      [],
    );
  });

  it('refuses a redirect URI that is not in the client metadata', inLong, async () => {
    const { path } = await requestAccess();
    const wrong = path.replace(encodeURIComponent(callback), encodeURIComponent('https://evil.example/callback'));
    assert.notEqual(wrong, path);
    await using visited = await fixture.visit(wrong);
    visited.expectRefusal(400);
    await visited.page.getByText('is not in the client metadata').waitFor();
    assert.equal(await visited.page.getByRole('button', { name: 'Allow access' }).count(), 0);
  });

  for (const { name, as } of LOOKS) {
    it(`has no accessibility problems: ${name}`, async () => {
      const { path } = await requestAccess();
      await using visited = await fixture.visit(path, as);
      await visited.page.getByRole('heading', { level: 1, name: 'Give Editor access?' }).waitFor();
      assert.deepEqual(await barriers(visited.page), []);
    });
  }
});
