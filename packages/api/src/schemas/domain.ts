import { z } from 'zod';
import { Port, Timestamp } from './common.ts';

export const DomainProtocol = z
  .enum(['http', 'h2c'])
  .describe('How the app is spoken to: `h2c` for gRPC and other HTTP/2 without TLS.');

export const Domain = z
  .object({
    id: z.int().describe('Its number in paths.'),
    host: z.string().describe('Lower case; international names in their ASCII form.'),
    port: z.int().nullable().describe('Null: the app’s port.'),
    protocol: DomainProtocol,
    created_at: Timestamp,
  })
  .meta({ id: 'Domain' });
export type Domain = z.infer<typeof Domain>;

export const DomainCreate = z
  .strictObject({
    host: z.string().min(1).max(255).describe('A host name such as `shop.example.com`, that no app has yet.'),
    port: Port.nullable().default(null).describe('Null: the app’s port.'),
    protocol: DomainProtocol.default('http'),
  })
  .meta({ id: 'DomainCreate' });
export type DomainCreate = z.infer<typeof DomainCreate>;

export const DomainPatch = z
  .strictObject({
    port: Port.nullable().optional().describe('Null: the app’s port.'),
    protocol: DomainProtocol.optional(),
  })
  .meta({ id: 'DomainPatch' });
export type DomainPatch = z.infer<typeof DomainPatch>;
