import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { addTcpPort, listTcpPorts, readTcpPort, removeTcpPort } from '../../core/tcp-port.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';

export const tcpPortRoutes = (core: Core): Binding[] => [
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
