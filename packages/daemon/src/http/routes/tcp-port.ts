import { operations } from '@davit/api';
import { addTcpPort, listTcpPorts, readTcpPort, removeTcpPort } from '../../resources/tcp-ports/tcp-port.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const tcpPortRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listTcpPorts, ({ ctx, target, query }) => paged(listTcpPorts(core, ctx, target, query))),
  bind(operations.addTcpPort, async ({ ctx, target, body }) => {
    const port = await addTcpPort(core, ctx, target, body);
    return created(port, `/api/apps/${target.reference}/tcp-ports/${port.id}`);
  }),
  bind(operations.getTcpPort, ({ ctx, target, params }) => ok(readTcpPort(core, ctx, target, params.tcp_port))),
  bind(operations.removeTcpPort, ({ ctx, target, params }) => {
    removeTcpPort(core, ctx, target, params.tcp_port);
    return noContent();
  }),
];
