import { z } from 'zod';
import { ROLES } from '../permissions.ts';
import { Slug, Timestamp } from './common.ts';

export const Username = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,31}$/, 'must be lower-case letters, digits, «.», «_» and «-», at most 32 characters');

/** Length is what makes a password strong; no rules of composition. */
const NewPassword = z
  .string()
  .min(12, 'must have at least 12 characters')
  .refine((p) => new TextEncoder().encode(p).length <= 1_024, 'must be at most 1,024 bytes');

export const Setup = z.object({ claimed: z.boolean() });
export const SetupInput = z.strictObject({ token: z.string().max(1_024), username: Username, password: NewPassword });
export type SetupInput = z.infer<typeof SetupInput>;

export const LoginInput = z.strictObject({ username: z.string().max(1_024), password: z.string().max(4_096) });
export type LoginInput = z.infer<typeof LoginInput>;

export const Session = z.object({ username: z.string(), role: z.enum(ROLES), expires_at: Timestamp });
export type Session = z.infer<typeof Session>;

export const PasswordChange = z.strictObject({ current_password: z.string().max(4_096), new_password: NewPassword });
export type PasswordChange = z.infer<typeof PasswordChange>;

export const ApiKeyCreate = z.strictObject({
  name: z.string().trim().min(1).max(64),
  role: z.enum(ROLES).optional().describe('Absent: the owner’s.'),
  projects: z.array(Slug).max(1_000).nullable().default(null).describe('Null: all that the owner sees.'),
  expires_at: Timestamp.nullable().default(null),
});
export type ApiKeyCreate = z.infer<typeof ApiKeyCreate>;

export const ApiKeyCreated = z.object({
  id: z.int(),
  name: z.string(),
  role: z.enum(ROLES),
  projects: z.array(z.string()).nullable(),
  expires_at: Timestamp.nullable(),
  created_at: Timestamp,
  key: z.string().describe('Shown this once.'),
});
export type ApiKeyCreated = z.infer<typeof ApiKeyCreated>;

export const ApiKey = ApiKeyCreated.omit({ key: true }).extend({
  last_used_at: Timestamp.nullable().describe('To the minute.'),
});
export type ApiKey = z.infer<typeof ApiKey>;
