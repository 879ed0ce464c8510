/** HTTP server for lego's provider `httpreq`, which writes records to the DNS server of a test authority. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Pebble } from './pebble.ts';

export interface Httpreq extends AsyncDisposable {
  url: string;
  /** Requests to write and remove records, with their name and credentials. */
  asked: { path: string; fqdn: string; authorization: string }[];
}

export async function startHttpreq(pebble: Pebble): Promise<Httpreq> {
  const requests: Httpreq['asked'] = [];
  const server = createServer(async (request, response) => {
    const { fqdn, value } = (await json(request)) as { fqdn: string; value: string };
    requests.push({ path: request.url ?? '', fqdn, authorization: request.headers.authorization ?? '' });
    if (request.url === '/present') await pebble.names('/set-txt', { host: fqdn, value });
    else await pebble.names('/clear-txt', { host: fqdn });
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked: requests,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
