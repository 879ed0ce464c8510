import { z } from 'zod';
import { operation } from '../operation.ts';
import { TcpPort, TcpPortCreate } from '../schemas/tcp-port.ts';
import { AppPath, paging } from './parameters.ts';

const tag = 'TCP ports';
const path = '/apps/{project}/{environment}/{app}/tcp-ports';
const TcpPortPath = AppPath.extend({
  tcp_port: z.string().describe('ID of the published port (field `id`), not the port number.'),
});

export const listTcpPorts = operation({
  id: 'listTcpPorts',
  method: 'GET',
  path,
  tag,
  summary: 'List the TCP ports of an app',
  description: 'Returns the ports on the server that forward connections to the app.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(paging),
  responses: {
    200: { description: 'Published TCP ports, sorted by the port number on the server.', schema: z.array(TcpPort) },
  },
  tool: {},
});

export const addTcpPort = operation({
  id: 'addTcpPort',
  method: 'POST',
  path,
  tag,
  summary: 'Publish a TCP port of an app',
  description:
    'Publish a port for protocols other than HTTP. Connections do not pass through the proxy, and every client that can reach the server can connect. The port takes effect with the next deployment. An app with a published port runs one replica. A deployment of such an app stops the old release before the new release starts.',
  permission: 'administer',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  body: TcpPortCreate,
  responses: {
    201: { description: 'The new TCP port.', schema: TcpPort, headers: { Location: 'URL of the TCP port.' } },
  },
});

export const getTcpPort = operation({
  id: 'getTcpPort',
  method: 'GET',
  path: `${path}/{tcp_port}`,
  tag,
  summary: 'Get a TCP port of an app',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: TcpPortPath,
  responses: { 200: { description: 'The TCP port.', schema: TcpPort } },
});

export const removeTcpPort = operation({
  id: 'removeTcpPort',
  method: 'DELETE',
  path: `${path}/{tcp_port}`,
  tag,
  summary: 'Delete a TCP port of an app',
  description: 'Deletes a TCP port of an app. The port stays published until the next deployment of the app.',
  permission: 'administer',
  scope: 'app',
  effect: 'destroy',
  params: TcpPortPath,
  responses: { 204: { description: 'The TCP port was deleted.' } },
});
