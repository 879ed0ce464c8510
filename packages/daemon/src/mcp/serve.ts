/**
 * Passes HTTP requests of the MCP endpoint to the MCP SDK. The SDK implements all supported versions of the protocol.
 */
import type { Logger } from '@davit/service';
import { createMcpHandler, isInitializeRequest, isLegacyRequest } from '@modelcontextprotocol/server';
import type { Reply } from '../http/bind.ts';
import type { Exchange } from '../http/exchange.ts';
import type { McpCaller } from './caller.ts';
import { RPC, refusedMessage, wrongInitialization } from './rpc.ts';
import { createServer } from './server.ts';

/** JSON-RPC message. The MCP SDK checks all fields except `jsonrpc`. */
export type Message = Readonly<Record<string, unknown>>;

export type Serve = (message: Message, caller: McpCaller, exchange: Exchange) => Promise<Reply>;

/**
 * HTTP headers that are passed to the MCP SDK. Other headers are not passed, because some of them contain credentials.
 */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

export function createServe(log: Logger): Serve {
  const callers = new WeakMap<Request, McpCaller>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo);
      if (caller === undefined) throw new Error('the user who sent the MCP message is unknown');
      return createServer(caller);
    },
    { legacy: 'stateless', onerror: (error) => log.debug({ error }, 'an MCP message was refused') },
  );
  return async (message, caller, exchange) => {
    const request = requestOf(exchange);
    if (await isMalformedInitialization(request, message)) {
      const wrong = wrongInitialization(message) ?? 'params: is not valid for the method “initialize”.';
      return refusedMessage(400, RPC.invalidParams, wrong, message);
    }
    callers.set(request, caller);
    return replyOf(await handler.fetch(request, { parsedBody: message }));
  };
}

/**
 * Returns whether a message is an `initialize` request with invalid parameters. The MCP SDK would return an internal
 * error for such a request.
 */
async function isMalformedInitialization(request: Request, message: Message): Promise<boolean> {
  if (message.method !== 'initialize' || isInitializeRequest(message)) return false;
  /*
   * In newer revisions of the protocol, the MCP SDK rejects `initialize`, because these revisions do not have the
   * method.
   */
  return isLegacyRequest(request, message);
}

function requestOf({ headers, outgoing }: Exchange): Request {
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort();
  });
  const own = HEADERS.flatMap((name) =>
    typeof headers[name] === 'string' ? [[name, headers[name]] as [string, string]] : [],
  );
  return new Request('http://localhost/mcp', { method: 'POST', headers: own, signal: left.signal });
}

async function replyOf(response: Response): Promise<Reply> {
  const { status, headers, body } = response;
  const type = headers.get('content-type');
  const own: Record<string, string> = { 'Cache-Control': 'no-store' };
  if (body === null) return { status, headers: own };
  if (type === 'text/event-stream') {
    return { status, body, headers: { ...own, 'Content-Type': type, 'X-Accel-Buffering': 'no' } };
  }
  return { status, body: await response.text(), headers: { ...own, 'Content-Type': type ?? 'application/json' } };
}
