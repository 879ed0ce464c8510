/** A certificate authority that answers as a test tells it to. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from './make-certificate.ts';

export interface TestAuthority extends AsyncDisposable {
  /** Without a slash at the end; the directory is at `/dir`. */
  url: string;
  /** PEM. */
  trustedCa: string;
}

/** It has a directory and nonces by itself, and answers everything else so. */
export async function startAuthority(answer: RequestListener): Promise<TestAuthority> {
  const { certificate, key } = await makeCertificate(['localhost'], { isAuthority: true });
  let url = '';
  const server = createServer({ cert: certificate, key }, (request, response) => {
    response.setHeader('replay-nonce', 'nonce');
    if (request.url === '/nonce') response.end();
    else if (request.url === '/dir') {
      const directory = { newNonce: `${url}/nonce`, newAccount: `${url}/account`, newOrder: `${url}/order` };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(directory));
    } else answer(request, response);
  });
  server.listen(0);
  await once(server, 'listening');
  url = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    trustedCa: certificate,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
