/**
 * Opens a shell or a tunnel over a WebSocket. These endpoints are not in the OpenAPI document, because OpenAPI cannot
 * describe WebSockets. A rejected request gets a normal HTTP response.
 *
 * Binary WebSocket messages contain input and output of the program. Text messages are JSON. For a terminal, the client
 * sends `{"resize": {"columns", "rows"}}`. Without a terminal, the client sends `{"end": true}` at the end of its
 * input, and the server sends `{"stderr": "text"}`. When the program ends, the server sends `{"exit": code}` and closes
 * the WebSocket with code 1000.
 *
 * Web pages cannot read the HTTP response to a rejected WebSocket request. If the query parameter `refusal=message` is
 * set, the server therefore accepts the WebSocket. It then sends `{"refused": {"code", "message"}}` and closes the
 * WebSocket with code 1008.
 */
import { DavitError, queryInteger } from '@davit/api';
import { z } from 'zod';
import type { TerminalSize } from '../../adapters/engine/terminal.ts';
import type { ShellProgram } from '../../resources/shells/program.ts';
import { auditFacts } from '../audit.ts';
import { type Reply, TAKEN_OVER } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import type { Exchange, RequestContext } from '../exchange.ts';
import { Rights } from '../rights.ts';
import type { ShellConnections, ShellReservation } from './connections.ts';
import { demandHandshake } from './handshake.ts';
import { MOST_SIDE, type ShellNoun } from './socket.ts';

/** Query parameters of all shells. */
export const SHELL_QUERY = {
  columns: queryInteger(1, MOST_SIDE).optional(),
  rows: queryInteger(1, MOST_SIDE).optional(),
  refusal: z.literal('message').optional(),
};

const USUAL_SIZE = { columns: 80, rows: 24 };

export function sizeIn({ columns, rows }: { columns?: number | undefined; rows?: number | undefined }): TerminalSize {
  return { columns: columns ?? USUAL_SIZE.columns, rows: rows ?? USUAL_SIZE.rows };
}

/** Properties that differ between shells and tunnels, and between apps and databases. */
export interface ShellOpening {
  exchange: Exchange;
  ctx: RequestContext;
  noun: ShellNoun;
  /**
   * Name of the audit log operation for the end of the shell. `null` if the audit log records only the start of the
   * shell.
   */
  closing: string | null;
  /** Starts the program of the shell. Returns the program, and fields for log lines about the shell. */
  open(signal: AbortSignal): Promise<{ program: ShellProgram; facts: Record<string, string> }>;
}

/** Opens a shell and connects it to the WebSocket of the request, until the shell or the WebSocket ends. */
export async function serveShell(core: HttpDeps, connections: ShellConnections, opening: ShellOpening): Promise<Reply> {
  const { exchange, ctx } = opening;
  demandHandshake(exchange);
  let reservation: ShellReservation;
  try {
    reservation = connections.reserve(ctx.actor.userId);
  } catch (error) {
    return refuse(core, connections, opening, error);
  }
  try {
    await run(core, reservation, opening);
    return TAKEN_OVER;
  } catch (error) {
    reservation.giveBack();
    return refuse(core, connections, opening, error);
  }
}

async function run(core: HttpDeps, reservation: ShellReservation, opening: ShellOpening): Promise<void> {
  const { store, now, audit } = core;
  const { exchange, ctx, noun, closing } = opening;
  const { program, facts } = await opening.open(reservation.signal(ctx.signal));
  /*
   * The permissions are checked again, because the caller may have lost them while Davit opened the shell. In this
   * case, Davit ends the shell before the shell accepts any input.
   */
  store.trail.demandRights();
  const rights = new Rights({ store, now, log: ctx.log }, exchange);
  ctx.log.info({ ...facts, user: ctx.actor.username }, `${noun} opened`);
  const parts = { program, noun, mayGoOn: () => isHeld(rights), signal: ctx.signal };
  await reservation.begin(exchange, parts, (why) => {
    ctx.log.info({ ...facts, why }, `${noun} closed`);
    if (closing !== null) audit.add({ ...auditFacts(exchange, 200, store), operation: closing }, 'ok');
  });
}

/**
 * Reports an error as a WebSocket message if the client requested such a message.
 * @throws the error otherwise
 */
async function refuse(
  { audit, store }: HttpDeps,
  connections: ShellConnections,
  { exchange, closing }: ShellOpening,
  error: unknown,
): Promise<Reply> {
  // This cast is safe, because the schemas of all shells contain `SHELL_QUERY`. Tunnels have no parameter `refusal`.
  const { refusal } = exchange.query as { refusal?: 'message' };
  if (refusal === undefined || closing === null || !(error instanceof DavitError)) throw error;
  await connections.refuse(exchange, error);
  audit.add({ ...auditFacts(exchange, error.status, store), operation: closing }, 'failed');
  return TAKEN_OVER;
}

/**
 * Returns whether the caller still has the permissions for the shell. Each call makes a new check, because API keys and
 * sessions can expire at any time.
 */
function isHeld(rights: Rights): boolean {
  rights.doubt();
  return rights.hold();
}
