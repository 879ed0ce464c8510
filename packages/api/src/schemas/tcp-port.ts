import { z } from 'zod';
import { Port, Timestamp } from './common.ts';

export const TcpPort = z
  .object({
    id: z.int().describe('Number of the port mapping.'),
    container_port: z.int().describe('Port on which the app listens.'),
    host_port: z.int().describe('Port of the server.'),
    created_at: Timestamp,
  })
  .meta({ id: 'TcpPort' });
export type TcpPort = z.infer<typeof TcpPort>;

export const TcpPortCreate = z
  .strictObject({
    container_port: Port.describe('Port on which the app listens.'),
    host_port: z
      .int()
      .min(1_024)
      .max(65_535)
      .optional()
      .describe('Free port of the server. Default: the first free port from 17000 to 17999.'),
  })
  .meta({ id: 'TcpPortCreate' });
export type TcpPortCreate = z.infer<typeof TcpPortCreate>;
