import { z } from 'zod';
import { operation } from '../operation.ts';
import { TcpPort, TcpPortCreate } from '../schemas/tcp-port.ts';
import { AppPath, paging } from './parameters.ts';

const tag = 'TCP ports';
const path = '/apps/{project}/{environment}/{app}/tcp-ports';
const TcpPortPath = AppPath.extend({
  tcp_port: z.string().describe('The number of what was published, its `id`; not the port.'),
});

export const listTcpPorts = operation({
  id: 'listTcpPorts',
  method: 'GET',
  path,
  tag,
  summary: 'List the ports of the machine that lead to an app',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'The ports, by the machine’s.', schema: z.array(TcpPort) } },
  tool: {},
});

export const addTcpPort = operation({
  id: 'addTcpPort',
  method: 'POST',
  path,
  tag,
  summary: 'Publish a port of an app on the machine',
  description:
    'For what is not HTTP: it goes past the proxy and is open to whoever reaches the machine. Takes effect with the next deploy. An app with one runs one instance, and its deploys stop the old release before the new one starts.',
  permission: 'administer',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  body: TcpPortCreate,
  responses: { 201: { description: 'The port.', schema: TcpPort, headers: { Location: 'Where it is.' } } },
});

export const getTcpPort = operation({
  id: 'getTcpPort',
  method: 'GET',
  path: `${path}/{tcp_port}`,
  tag,
  summary: 'Read a published port of an app',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: TcpPortPath,
  responses: { 200: { description: 'The port.', schema: TcpPort } },
});

export const removeTcpPort = operation({
  id: 'removeTcpPort',
  method: 'DELETE',
  path: `${path}/{tcp_port}`,
  tag,
  summary: 'Take a port of the machine from an app',
  description: 'What runs keeps it until the next deploy.',
  permission: 'administer',
  scope: 'app',
  effect: 'destroy',
  params: TcpPortPath,
  responses: { 204: { description: 'It is gone.' } },
});
