/**
 * Controls Chromium directly, with only the debugger features that a benchmark needs. Playwright records every request
 * with its position in the source, for which V8 parses the program again. That took a third of the measured time.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Otherwise, Chromium slows down a window that is not visible.
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
  '--remote-debugging-port=0',
];

export interface BarePage extends AsyncDisposable {
  /**
   * Sends a command of the DevTools protocol to the page.
   * @throws Error with the message of Chromium
   */
  send<T = unknown>(method: string, params?: object): Promise<T>;
  /** Opens an address. Resolves when the document is loaded; its scripts may still be loading. */
  goto(url: string): Promise<void>;
  /**
   * Returns the value of an expression in the page. Waits if the value is a promise.
   * @throws Error if the expression throws
   */
  evaluate<T>(expression: string): Promise<T>;
}

/** A cookie for all paths of a site. Scripts of pages cannot read it. */
export interface BareCookie {
  name: string;
  value: string;
  url: string;
}

export interface BareChromium extends AsyncDisposable {
  /** Port of the DevTools protocol, for a program that opens its own pages. */
  port: number;
  /** Sets a cookie for the pages that other programs open. The pages of `open` have separate cookies. */
  setCookie(cookie: BareCookie): Promise<void>;
  /** Opens an empty page with a separate cache and separate cookies. */
  open(size: { width: number; height: number }): Promise<BarePage>;
}

interface Message {
  id?: number;
  method?: string;
  sessionId?: string;
  result?: unknown;
  error?: { message: string };
}

export async function launchBareChromium(): Promise<BareChromium> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'davit-chromium-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const child = spawn('/usr/bin/chromium', [...FLAGS, `--user-data-dir=${folder}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  cleanup.defer(async () => {
    const ended = once(child, 'exit');
    if (child.kill()) await ended;
  });
  const address = await addressIn(child.stderr);
  const protocol = cleanup.use(await connect(address));
  const opened = cleanup.move();
  return {
    port: Number(new URL(address).port),
    setCookie: async (cookie) => {
      await protocol.send('Storage.setCookies', { cookies: [{ ...cookie, httpOnly: true }] });
    },
    open: (size) => openPage(protocol, size),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Returns the address at which Chromium listens, which Chromium writes to its standard error. */
async function addressIn(stderr: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface(stderr);
  for await (const line of lines) {
    const [, address] = /DevTools listening on (ws:\S+)/.exec(line) ?? [];
    if (address === undefined) continue;
    // The rest of the output must be read as well, because a full pipe would block Chromium.
    stderr.resume();
    return address;
  }
  throw new Error('Chromium ended before it listened.');
}

interface Protocol {
  send(method: string, params?: object, sessionId?: string): Promise<unknown>;
  /** Resolves at the next event with this name. */
  next(event: string, sessionId: string): Promise<unknown>;
}

async function connect(address: string): Promise<Protocol & Disposable> {
  const socket = new WebSocket(address);
  /** Pending promises, by the number of a command, or by the session and the name of an event. */
  const waiting = new Map<number | string, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, sessionId, result, error } = JSON.parse(String(data)) as Message;
    const key = id ?? `${sessionId} ${method}`;
    const pending = waiting.get(key);
    waiting.delete(key);
    if (error) pending?.reject(new Error(error.message));
    else pending?.resolve(result);
  });
  socket.addEventListener('close', () => {
    for (const pending of waiting.values()) pending.reject(new Error('Chromium ended.'));
  });
  await once(socket, 'open');
  const wait = (key: number | string) => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(key, answer);
    return answer.promise;
  };
  let last = 0;
  return {
    send: (method, params = {}, sessionId) => {
      last += 1;
      socket.send(JSON.stringify({ id: last, method, params, ...(sessionId && { sessionId }) }));
      return wait(last);
    },
    next: (event, sessionId) => wait(`${sessionId} ${event}`),
    [Symbol.dispose]: () => socket.close(),
  };
}

async function openPage({ send, next }: Protocol, size: { width: number; height: number }): Promise<BarePage> {
  const { browserContextId } = (await send('Target.createBrowserContext')) as { browserContextId: string };
  const target = { url: 'about:blank', browserContextId, ...size };
  const { targetId } = (await send('Target.createTarget', target)) as { targetId: string };
  const { sessionId } = (await send('Target.attachToTarget', { targetId, flatten: true })) as { sessionId: string };
  await send('Page.enable', {}, sessionId);
  return {
    goto: async (url) => {
      const loaded = next('Page.domContentEventFired', sessionId);
      await send('Page.navigate', { url }, sessionId);
      await loaded;
    },
    send: async <T>(method: string, params?: object) => (await send(method, params, sessionId)) as T,
    evaluate: async <T>(expression: string) => {
      const evaluation = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = (await send('Runtime.evaluate', evaluation, sessionId)) as {
        result: { value: T };
        exceptionDetails?: { text: string };
      };
      if (exceptionDetails) throw new Error(`In the page: ${exceptionDetails.text}`);
      return result.value;
    },
    [Symbol.asyncDispose]: async () => {
      await send('Target.disposeBrowserContext', { browserContextId });
    },
  };
}
