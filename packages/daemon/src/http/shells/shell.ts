/**
 * The interactive shell: a WebSocket beside the documented API, since no request and answer can say what it does. It is
 * judged like every request, so that a refusal is an ordinary answer; only what is let in becomes a WebSocket.
 *
 * Binary messages are the terminal's bytes in both directions. Messages of text are JSON: the client sends
 * `{"resize": {"columns", "rows"}}`, the server `{"exit": code}` before it closes with 1000. With `refusal=message` what
 * cannot be opened now is told as `{"refused": {"code", "message"}}` before it closes with 1008: a page in a browser learns
 * nothing of an answer that refuses a WebSocket.
 */
import { Command, DavitError, queryInteger } from '@davit/api';
import { z } from 'zod';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { openShell } from '../../resources/shells/shell.ts';
import { auditFacts } from '../audit.ts';
import { type Reply, TAKEN_OVER } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint, Exchange, RequestContext } from '../exchange.ts';
import { Rights } from '../rights.ts';
import type { ShellConnections, ShellPlace } from './connections.ts';
import { MOST_SIDE } from './socket.ts';

/** Characters; a request line has no room for much more. */
const MOST_COMMAND = 4_096;

const ShellQuery = z
  .strictObject({
    instance: z.string().max(63).optional(),
    shell: z
      .string()
      .max(255)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what this refuses
      .regex(/^\/[^\u0000]+$/, 'must be the path of a program in the image, such as /bin/bash')
      .optional(),
    command: z.string().max(MOST_COMMAND).transform(commandIn).optional(),
    columns: queryInteger(1, MOST_SIDE).optional(),
    rows: queryInteger(1, MOST_SIDE).optional(),
    refusal: z.literal('message').optional(),
  })
  .refine(({ shell, command }) => shell === undefined || command === undefined, {
    path: ['shell'],
    error: 'is a program without arguments: give it or «command»',
  });

/** In place of a shell: a program with its arguments, as JSON, since nothing else in a query keeps them apart. */
function commandIn(text: string, ctx: z.RefinementCtx): string[] {
  const parsed = Command.safeParse(jsonIn(text));
  if (parsed.success) return parsed.data;
  ctx.addIssue({
    code: 'custom',
    message: 'must be a JSON list of the program and its arguments, such as ["psql","-l"]',
  });
  return z.NEVER;
}

/** Null for what is no JSON, which no schema takes. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const USUAL_SHELL = '/bin/sh';
const USUAL_SIZE = { columns: 80, rows: 24 };

const ROUTE = 'GET /api/apps/{project}/{environment}/{app}/shell';

/** Browsers and every library send these; what is wrong here would be refused in words that are not ours. */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSION = '13';

export function shellEndpoint(core: HttpDeps, connections: ShellConnections): Endpoint {
  return {
    ...absentEndpoint(ROUTE, { access: 'caller', success: 101 }, () => TAKEN_OVER),
    operation: 'openShell',
    needs: { permission: 'operate', scope: 'app' },
    query: ShellQuery,
    handle: (exchange, ctx) => open(core, connections, exchange, ctx),
  };
}

async function open(
  core: HttpDeps,
  connections: ShellConnections,
  exchange: Exchange,
  ctx: RequestContext,
): Promise<Reply> {
  demandHandshake(exchange);
  const { store, now, audit } = core;
  // The stages before this one made both from the endpoint's own scope and schema.
  const app = exchange.target as AppTarget;
  const query = exchange.query as z.output<typeof ShellQuery>;
  const tell = async (error: unknown): Promise<Reply> => {
    if (query.refusal === undefined || !(error instanceof DavitError)) throw error;
    await connections.refuse(exchange, error);
    audit.add({ ...auditFacts(exchange, error.status, store), operation: 'closeShell' }, 'failed');
    return TAKEN_OVER;
  };
  let place: ShellPlace;
  try {
    place = connections.reserve(ctx.actor.userId);
  } catch (error) {
    return tell(error);
  }
  try {
    const size = { columns: query.columns ?? USUAL_SIZE.columns, rows: query.rows ?? USUAL_SIZE.rows };
    const command = query.command ?? [query.shell ?? USUAL_SHELL];
    const ask = { instance: query.instance, command, size };
    const { instance, terminal } = await openShell(core, app, ask, place.signal(ctx.signal));
    // The program has read nothing yet, and ends with its place.
    store.trail.demandRights();
    const rights = new Rights({ store, now, log: ctx.log }, exchange);
    ctx.log.info({ app: app.reference, instance, user: ctx.actor.username }, 'a shell was opened');
    await place.begin(exchange, { terminal, mayGoOn: () => isHeld(rights), signal: ctx.signal }, (why) => {
      ctx.log.info({ app: app.reference, instance, why }, 'a shell was closed');
      audit.add({ ...auditFacts(exchange, 200, store), operation: 'closeShell' }, 'ok');
    });
    return TAKEN_OVER;
  } catch (error) {
    place.giveBack();
    return tell(error);
  }
}

/** Looked at anew each time: keys and sessions also end by the clock. */
function isHeld(rights: Rights): boolean {
  rights.doubt();
  return rights.hold();
}

/** @throws DavitError bad_request */
function demandHandshake({ upgrade, headers }: Exchange): void {
  if (upgrade === undefined) {
    throw new DavitError('bad_request', 'This is a WebSocket: connect to it with «ws://» or «wss://».');
  }
  const isWhole = KEY.test(headers['sec-websocket-key'] ?? '') && headers['sec-websocket-version'] === VERSION;
  if (!isWhole) throw new DavitError('bad_request', 'The WebSocket handshake is not valid: use version 13 of it.');
}
