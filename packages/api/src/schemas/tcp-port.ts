import { z } from 'zod';
import { Port, Timestamp } from './common.ts';

export const TcpPort = z
  .object({
    id: z.int().describe('Its number in paths.'),
    container_port: z.int().describe('What the app listens on.'),
    host_port: z.int().describe('The port of the machine that leads there.'),
    created_at: Timestamp,
  })
  .meta({ id: 'TcpPort' });
export type TcpPort = z.infer<typeof TcpPort>;

export const TcpPortCreate = z
  .strictObject({
    container_port: Port.describe('What the app listens on.'),
    host_port: z
      .int()
      .min(1_024)
      .max(65_535)
      .optional()
      .describe('A free port of the machine. Absent: the first free one from 17000 to 17999.'),
  })
  .meta({ id: 'TcpPortCreate' });
export type TcpPortCreate = z.infer<typeof TcpPortCreate>;
