import { z } from 'zod';
import { Port, Timestamp } from './common.ts';

export const TcpPort = z
  .object({
    id: z.int().describe('ID of the published port, which is not the port number.'),
    container_port: z.int().describe('Port in the container on which the app listens.'),
    host_port: z.int().describe('Port on the server that forwards connections to the app.'),
    created_at: Timestamp,
  })
  .meta({ id: 'TcpPort' });
export type TcpPort = z.infer<typeof TcpPort>;

export const TcpPortCreate = z
  .strictObject({
    container_port: Port.describe('Port in the container on which the app listens.'),
    host_port: z
      .int()
      .min(1_024)
      .max(65_535)
      .optional()
      .describe(
        'Free port on the server that will forward connections to the app. Default: the first free port from 17000 to 17999.',
      ),
  })
  .meta({ id: 'TcpPortCreate' });
export type TcpPortCreate = z.infer<typeof TcpPortCreate>;
