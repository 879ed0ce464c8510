import type { IncomingMessage } from 'node:http';
import type { DavitError } from '@davit/api';
import type { WebSocket } from 'ws';
import { agentFor } from '../client/network-fetch.ts';
import { whyUnreachable } from '../client/requests.ts';
import type { Connection } from '../credentials/choose.ts';
import type { Context } from '../declaration/context.ts';
import { CliError, exitOf } from '../errors/exit.ts';

/**
 * Opens a WebSocket of the instance. The WebSocket is paused, so that no data is lost before the caller adds a
 * listener.
 * @param path path and query string of the URL
 * @throws CliError if the instance is unreachable or refuses the connection
 */
export async function connect(
  connection: Connection,
  path: string,
  { env, signal }: Pick<Context, 'env' | 'signal'>,
): Promise<WebSocket> {
  const [{ WebSocket }, { acceptWithProblem, refusal }] = await Promise.all([
    import('ws'),
    import('../client/typed-client.ts'),
  ]);
  const { url, key, socketPath } = connection;
  const address = socketPath === undefined ? `${url.replace(/^http/, 'ws')}${path}` : `ws+unix:${socketPath}:${path}`;
  const accept = acceptWithProblem();
  const headers = { accept, 'davit-via': 'cli', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  const through = socketPath === undefined ? await agentFor(url, env) : null;
  const agent = through?.agent ?? null;
  const socket = new WebSocket(address, {
    ...(agent && { agent }),
    headers,
    perMessageDeflate: false,
    followRedirects: false,
  });
  return new Promise((resolve, reject) => {
    const leave = () => socket.terminate();
    signal.addEventListener('abort', leave, { once: true });
    const settle = (done: () => void) => {
      signal.removeEventListener('abort', leave);
      done();
    };
    socket.once('open', () => {
      /*
       * The WebSocket is paused, because data can arrive together with the HTTP response. Without a listener, this data
       * would be lost.
       */
      socket.pause();
      settle(() => resolve(socket));
    });
    socket.once('unexpected-response', (_request, answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      const headers = { get: (name: string) => headerOf(answer, name) };
      const known = { status: answer.statusCode ?? 0, headers, ...(socketPath === undefined && { url }) };
      answer.on('close', () => settle(() => reject(refused(refusal(known, text)))));
    });
    socket.once('error', (error: NodeJS.ErrnoException) =>
      settle(() =>
        reject(
          signal.aborted
            ? signal.reason
            : new CliError('unreachable', whyUnreachable(connection, error, env), { cause: error }),
        ),
      ),
    );
  });
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function refused(refusal: DavitError): CliError {
  const isUnauthorized = refusal.code === 'unauthorized';
  const message = isUnauthorized ? 'The API key is not valid. Run `davit login`.' : refusal.message;
  return new CliError(exitOf(refusal), message, { refusal });
}
