import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSignedCertificate } from '@davit/daemon/auth/self-signed.ts';

/** Local HTTPS server for OAuth client metadata documents, so that tests need no external network. */
export interface ClientHost extends AsyncDisposable {
  /** URL of the HTTPS server, such as `https://localhost:12345`. */
  url: string;
  /** CA certificate of the HTTPS server in PEM format. Clients must trust this certificate. */
  ca: string;
  /** Paths of the HTTP requests that the server received. */
  asked: string[];
  /** Publishes an OAuth client metadata document. Returns the URL of this document, which is also the client id. */
  describe(path: string, document: object): string;
  /** Sets the function that responds to requests for a path. Returns the URL for this path. */
  answer(path: string, handler: (request: IncomingMessage, response: ServerResponse) => void): string;
}

const DAY_MS = 86_400_000;

export async function startClientHost(): Promise<ClientHost> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = Date.now();
  const ca = selfSignedCertificate(privateKey, { name: 'localhost', notBefore: now - DAY_MS, notAfter: now + DAY_MS });
  const handlers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const requestedPaths: string[] = [];
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const server = createServer({ key, cert: ca }, (request, response) => {
    const path = request.url ?? '/';
    requestedPaths.push(path);
    const handler = handlers.get(path);
    if (handler) handler(request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const answer: ClientHost['answer'] = (path, handler) => {
    handlers.set(path, handler);
    return `${url}${path}`;
  };
  return {
    url,
    ca,
    asked: requestedPaths,
    answer,
    describe: (path, document) =>
      answer(path, (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ client_id: `${url}${path}`, ...document }));
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
