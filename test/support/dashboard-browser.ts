/** Browser tests of the built dashboard: an instance that serves it, and visits that record errors. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '@davit/api';
import { ADMIN, type BootOptions, bootDaemon, cookieOf, seed, signIn, type TestDaemon } from '@davit/testkit';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { isRoute } from './contract-routes.ts';
import { type Noted, SHOW_VIOLATIONS, useBrowser, WIDE, watch } from './pages.ts';

const BUILT = join(import.meta.dirname, '../../packages/dashboard/dist');

/** Pattern for console messages of browsers about a failed request. Each visit declares which failures are expected. */
const REFUSED = /^Failed to load resource: the server responded with a status of (\d+)|^Failed to load resource: net::/;

export interface OpenOptions extends BootOptions {
  /** Whether the instance contains example data. Default: `true`. */
  seed?: boolean;
  /** Requests of the test's own programs that match no route, such as `GET /mcp`. */
  meant?: readonly string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** Role of the signed-in user, or null for no user. Default: admin. */
  role?: Role | null;
  /** Whether the visit gets a separate session, for a test that ends the session. */
  ownSession?: boolean;
  /** Pattern for expected console messages, in addition to those of {@link DashboardVisit.expectRefusal}. */
  complaints?: RegExp;
}

export interface DashboardVisit extends Noted, AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /**
   * Requests such as `GET /api/apps`, in the order in which the pages sent them. Requests of workers are recorded only
   * by the daemon.
   */
  asked: string[];
  /**
   * Declares statuses of failed requests that the test expects. 0 means no response, because the daemon is unavailable.
   */
  expectRefusal(...statuses: number[]): void;
  /**
   * Checks the recorded errors.
   * @throws AssertionError if the console shows an error, or if a page sent a request to another host or to an unknown
   * route
   */
  check(): void;
}

export interface DashboardBrowser extends AsyncDisposable {
  daemon: TestDaemon;
  browser: Browser;
  /** Folder that the instance serves, a copy of the build output. */
  folder: string;
  /** Opens a page in a separate browser context. Disposing the visit checks it. */
  visit(path: string, options?: VisitOptions): Promise<DashboardVisit>;
}

/**
 * Starts an instance that serves the built dashboard, and a browser. By default, the instance is claimed and contains
 * example data.
 */
export async function openDashboard(options: OpenOptions = {}): Promise<DashboardBrowser> {
  const { seed: seeded = true, meant = [], ...boot } = options;
  await using cleanup = new AsyncDisposableStack();
  // The tests use a copy, because the dashboard may be built again at any time.
  const folder = await mkdtemp(join(tmpdir(), 'davit-dashboard-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  await cp(BUILT, folder, { recursive: true });
  const daemon = cleanup.use(await bootDaemon({ dashboard: folder, ...boot }));
  if (seeded && boot.claim !== false) await seed(daemon);
  const { browser } = cleanup.use(await useBrowser());
  const sessions = new Sessions(daemon);
  const strays = new Strays(meant);
  const opened = cleanup.move();
  return {
    daemon,
    browser,
    folder,
    visit: (path, more = {}) => visit({ daemon, browser, sessions, strays }, path, more),
    [Symbol.asyncDispose]: async () => {
      await opened.disposeAsync();
      strays.check(daemon.log.lines);
    },
  };
}

/** Users and cookies for each role. */
class Sessions {
  readonly #daemon: TestDaemon;
  readonly #cookies = new Map<Role, Promise<string>>();
  readonly #made = new Map<Role, Promise<typeof ADMIN | { username: string; password: string }>>();

  constructor(daemon: TestDaemon) {
    this.#daemon = daemon;
  }

  cookie(role: Role, own: boolean): Promise<string> {
    if (own) return this.#signIn(role);
    const known = this.#cookies.get(role) ?? this.#signIn(role);
    this.#cookies.set(role, known);
    return known;
  }

  async #signIn(role: Role): Promise<string> {
    const account = this.#made.get(role) ?? this.#make(role);
    this.#made.set(role, account);
    const answer = await signIn(this.#daemon, await account);
    assert.equal(answer.status, 200, answer.text);
    return cookieOf(answer);
  }

  async #make(role: Role) {
    if (role === 'admin') return ADMIN;
    const account = { username: `a-${role}`, password: ADMIN.password };
    await this.#daemon.client.createUser({ body: { ...account, role } });
    return account;
  }
}

/** Requests without a matching route, as the daemon logged them. Requests of workers are included. */
class Strays {
  readonly #meant: Set<string>;

  constructor(meant: readonly string[]) {
    this.#meant = new Set(meant);
  }

  /** Allows a page that does not exist, for a test that visits it. */
  allow(path: string): void {
    this.#meant.add(`GET ${path.split(/[?#]/)[0]}`);
  }

  check(lines: readonly string[]): void {
    const requests = lines
      .map((line) => JSON.parse(line) as { msg?: string; method?: string; path?: string })
      .filter(({ msg }) => msg === 'request')
      .map(({ method, path }) => `${method === 'HEAD' ? 'GET' : method} ${path}`);
    const strays = requests.filter((request) => !this.#meant.has(request) && !isRoute(request));
    assert.deepEqual([...new Set(strays)], [], 'requests that are neither in the document nor on the absent list');
  }
}

interface Setup {
  daemon: TestDaemon;
  browser: Browser;
  sessions: Sessions;
  strays: Strays;
}

async function visit(setup: Setup, path: string, options: VisitOptions): Promise<DashboardVisit> {
  const { daemon, browser, sessions, strays } = setup;
  const { role = daemon.key === '' ? null : 'admin', ownSession = false, complaints: meant, ...more } = options;
  const { url } = daemon;
  const context = await browser.newContext({ viewport: WIDE, baseURL: url, ...more });
  const noted = watch(context, (origin) => origin === new URL(url).origin);
  await context.addInitScript(SHOW_VIOLATIONS);
  if (role !== null) await context.addCookies([parsed(await sessions.cookie(role, ownSession), url)]);
  const requests: string[] = [];
  const refusals = new Set<number>();
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.isNavigationRequest()) strays.allow(pathname);
    else if (request.url().startsWith(url)) requests.push(`${request.method()} ${pathname}`);
  });
  const isMeant = (text: string) => {
    const [matched, status] = REFUSED.exec(text) ?? [];
    return (matched !== undefined && refusals.has(Number(status ?? 0))) || (meant?.test(text) ?? false);
  };
  const check = () => {
    assert.deepEqual(
      noted.complaints.filter((text) => !isMeant(text)),
      [],
      'what the console shows',
    );
    assert.deepEqual(noted.foreign, [], 'requests to other hosts');
    assert.deepEqual(
      requests.filter((one) => !isRoute(one)),
      [],
      'requests that are neither in the document nor on the absent list',
    );
  };
  const page = await context.newPage();
  await page.goto(path);
  return {
    page,
    context,
    ...noted,
    asked: requests,
    expectRefusal: (...statuses) => {
      for (const status of statuses) refusals.add(status);
    },
    check,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      check();
    },
  };
}

function parsed(cookie: string, url: string) {
  const equals = cookie.indexOf('=');
  return { name: cookie.slice(0, equals), value: cookie.slice(equals + 1), url, httpOnly: true };
}
