import { z } from 'zod';
import { ROLES } from '../permissions.ts';
import { Slug, Timestamp } from './common.ts';

/** `me` is an address, and under the others the local operator and the instance itself act. */
const RESERVED = ['me', 'local', 'davit'];

export const Username = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,31}$/, 'must be lower-case letters, digits, «.», «_» and «-», at most 32 characters')
  .refine((name) => !RESERVED.includes(name), 'is reserved: choose another name');

/** Length is what makes a password strong; no rules of composition. */
export const NewPassword = z
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

/** One line of plain text: a name is shown in lists, terminals and logs. */
const KeyName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u, 'must be one line without control characters');

export const ApiKeyCreate = z.strictObject({
  name: KeyName,
  role: z.enum(ROLES).optional().describe('Absent: the owner’s.'),
  projects: z.array(Slug).max(1_000).nullable().default(null).describe('Null: all that the owner sees.'),
  expires_at: Timestamp.nullable().default(null),
});
export type ApiKeyCreate = z.infer<typeof ApiKeyCreate>;

export const ApiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    role: z.enum(ROLES).describe('What it carries now: its own role, or its owner’s where that is narrower.'),
    projects: z.array(z.string()).nullable().describe('The projects it sees; null: all.'),
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable().describe('To the minute.'),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyCreated = z.object({
  ...ApiKey.omit({ last_used_at: true }).shape,
  key: z.string().describe('Shown this once.'),
});
export type ApiKeyCreated = z.infer<typeof ApiKeyCreated>;

export const UserSession = z
  .object({
    id: z.int(),
    created_at: Timestamp,
    last_seen_at: Timestamp.describe('To the minute.'),
    expires_at: Timestamp.describe('However much it is used; seven days without use end it too.'),
    address: z.string().nullable().describe('Where it was begun from.'),
    user_agent: z.string().nullable().describe('What the browser called itself, at most 200 characters.'),
    current: z.boolean().describe('It is the one that asks.'),
  })
  .meta({ id: 'UserSession' });
export type UserSession = z.infer<typeof UserSession>;

export const User = z
  .object({
    username: z.string(),
    role: z.enum(ROLES),
    projects: z.array(z.string()).nullable().describe('The projects they see; null: all.'),
    blocked: z.boolean().describe('They cannot sign in, and none of their keys works.'),
    created_at: Timestamp,
    last_seen_at: Timestamp.nullable().describe(
      'When they, a key of theirs or a program that they let in asked for something last, to the minute; null: never.',
    ),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

const password = z.string().optional().describe('The one that was generated; shown this once.');

export const UserWithPassword = z.object({ ...User.shape, password }).meta({ id: 'UserWithPassword' });
export type UserWithPassword = z.infer<typeof UserWithPassword>;

const UserProjects = z.array(Slug).max(1_000).nullable();

export const UserCreate = z
  .strictObject({
    username: Username,
    password: NewPassword.optional().describe('Absent: a strong one is generated and answered once.'),
    role: z.enum(ROLES),
    projects: UserProjects.default(null).describe('The projects they see; null: all.'),
  })
  .meta({ id: 'UserCreate' });
export type UserCreate = z.infer<typeof UserCreate>;

export const UserPatch = z
  .strictObject({
    role: z.enum(ROLES).optional(),
    projects: UserProjects.optional().describe('The projects they see; null: all.'),
    blocked: z.boolean().optional().describe('True ends their sessions, and their keys do not work until it is false.'),
    password: NewPassword.optional().describe(
      'A new password. It ends all sessions and connected programs of the user. API keys go on working.',
    ),
    reset_password: z.literal(true).optional().describe('A new one is generated and answered once.'),
  })
  .refine(({ password, reset_password }) => password === undefined || reset_password === undefined, {
    path: ['reset_password'],
    error: 'is instead of a password: send one of the two',
  })
  .meta({ id: 'UserPatch' });
export type UserPatch = z.infer<typeof UserPatch>;

export const Me = z
  .object({
    username: z.string().describe('`local` for the operator on the machine itself.'),
    role: z.enum(ROLES).describe('What this credential may do: the owner’s role, or the key’s where that is narrower.'),
    projects: z.array(z.string()).nullable().describe('The projects it sees; null: all.'),
    credential: z.enum(['session', 'key', 'connection', 'local']),
    key: z
      .object({ id: z.int(), name: z.string(), expires_at: Timestamp.nullable() })
      .nullable()
      .describe('The key that asks; null where none does.'),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;
