/**
 * Endpoint for an interactive shell over a WebSocket. It is not in the OpenAPI document, because OpenAPI cannot
 * describe WebSockets. A rejected request gets a normal HTTP response.
 *
 * Binary WebSocket messages are input and output of the terminal. Text messages are JSON. The client sends `{"resize":
 * {"columns", "rows"}}`. The server sends `{"exit": code}` and closes the WebSocket with code 1000.
 *
 * Web pages cannot read the HTTP response to a rejected WebSocket request. So with the query parameter
 * `refusal=message`, the server accepts the WebSocket, sends `{"refused": {"code", "message"}}` and closes it with code
 * 1008.
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
import type { ShellConnections, ShellReservation } from './connections.ts';
import { MOST_SIDE } from './socket.ts';

/** Maximum length of the query parameter `command` in characters. HTTP request lines cannot be much longer. */
const MOST_COMMAND = 4_096;

const ShellQuery = z
  .strictObject({
    replica: z.string().max(63).optional(),
    shell: z
      .string()
      .max(255)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must exclude NUL characters
      .regex(/^\/[^\u0000]+$/, 'must be the path of a program in the image, such as /bin/bash')
      .optional(),
    command: z.string().max(MOST_COMMAND).transform(commandIn).optional(),
    columns: queryInteger(1, MOST_SIDE).optional(),
    rows: queryInteger(1, MOST_SIDE).optional(),
    refusal: z.literal('message').optional(),
  })
  .refine(({ shell, command }) => shell === undefined || command === undefined, {
    path: ['shell'],
    error: 'must not be used with “command”',
  });

/**
 * Parses the query parameter `command`: a JSON array of a program and its arguments. This program runs instead of a
 * shell.
 */
function commandIn(text: string, ctx: z.RefinementCtx): string[] {
  const parsed = Command.safeParse(jsonIn(text));
  if (parsed.success) return parsed.data;
  ctx.addIssue({
    code: 'custom',
    message: 'must be a JSON list of the program and its arguments, such as ["psql","-l"]',
  });
  return z.NEVER;
}

/**
 * Parses JSON. Returns `null` for invalid JSON. The caller then reports an error, because its schema does not accept
 * `null`.
 */
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

/**
 * Format of the header `Sec-WebSocket-Key`. Davit checks it because the WebSocket library would reject an invalid key
 * with its own error message.
 */
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
  // These casts are safe, because `judgeRequest` has already validated the app and the query parameters.
  const app = exchange.target as AppTarget;
  const query = exchange.query as z.output<typeof ShellQuery>;
  const reportError = async (error: unknown): Promise<Reply> => {
    if (query.refusal === undefined || !(error instanceof DavitError)) throw error;
    await connections.refuse(exchange, error);
    audit.add({ ...auditFacts(exchange, error.status, store), operation: 'closeShell' }, 'failed');
    return TAKEN_OVER;
  };
  let reservation: ShellReservation;
  try {
    reservation = connections.reserve(ctx.actor.userId);
  } catch (error) {
    return reportError(error);
  }
  try {
    const size = { columns: query.columns ?? USUAL_SIZE.columns, rows: query.rows ?? USUAL_SIZE.rows };
    const command = query.command ?? [query.shell ?? USUAL_SHELL];
    const options = { replica: query.replica, command, size };
    const { replica, terminal } = await openShell(core, app, options, reservation.signal(ctx.signal));
    // Checks the permissions again, because the caller may have lost them while Davit opened the shell.
    // If the caller has lost the permissions, Davit ends the shell before the shell accepts any input.
    store.trail.demandRights();
    const rights = new Rights({ store, now, log: ctx.log }, exchange);
    ctx.log.info({ app: app.reference, replica, user: ctx.actor.username }, 'shell opened');
    await reservation.begin(exchange, { terminal, mayGoOn: () => isHeld(rights), signal: ctx.signal }, (why) => {
      ctx.log.info({ app: app.reference, replica, why }, 'shell closed');
      audit.add({ ...auditFacts(exchange, 200, store), operation: 'closeShell' }, 'ok');
    });
    return TAKEN_OVER;
  } catch (error) {
    reservation.giveBack();
    return reportError(error);
  }
}

/**
 * Returns whether the caller still has the permissions for the shell. Repeats the check each time, because API keys and
 * sessions can expire at any time.
 */
function isHeld(rights: Rights): boolean {
  rights.doubt();
  return rights.hold();
}

/** Checks that a request is a valid WebSocket handshake. @throws DavitError bad_request */
function demandHandshake({ upgrade, headers }: Exchange): void {
  if (upgrade === undefined) {
    throw new DavitError('bad_request', 'This endpoint is a WebSocket. Connect to it with “ws://” or “wss://”.');
  }
  const isWhole = KEY.test(headers['sec-websocket-key'] ?? '') && headers['sec-websocket-version'] === VERSION;
  if (!isWhole)
    throw new DavitError('bad_request', 'The WebSocket handshake is not valid. Use version 13 of the protocol.');
}
