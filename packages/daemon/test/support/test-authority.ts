/** A certificate authority whose responses a test defines. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from './make-certificate.ts';

export interface TestAuthority extends AsyncDisposable {
  /** URL without a slash at the end. The directory is at `/dir`. */
  url: string;
  /** CA certificate in PEM. */
  trustedCa: string;
}

/** Starts an authority. The authority serves the directory and nonces, and `answer` handles all other requests. */
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
