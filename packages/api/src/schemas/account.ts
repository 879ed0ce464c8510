import { z } from 'zod';
import { ROLES } from '../permissions.ts';
import { Slug, Timestamp } from './common.ts';

/**
 * Reserved user names. API paths contain `me`. In the audit log, `local` means a caller through the local Unix socket,
 * and `davit` means the instance.
 */
const RESERVED = ['me', 'local', 'davit'];

export const Username = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,31}$/,
    'must contain only lower-case letters, digits, “.”, “_” and “-”, at most 32 characters',
  )
  .refine((name) => !RESERVED.includes(name), 'is reserved: choose another name');

/**
 * Schema of a new password. Only its length is checked, because the strength of a password mainly depends on its
 * length.
 */
export const NewPassword = z
  .string()
  .min(12, 'must have at least 12 characters')
  .refine((p) => new TextEncoder().encode(p).length <= 1_024, 'must be at most 1,024 bytes');

/**
 * State of the instance and of the browser's session before a sign-in. `signed_in` is `true` if the request contains a
 * cookie of a valid session. Without a session, the request also succeeds.
 */
export const Setup = z.object({ claimed: z.boolean(), signed_in: z.boolean() });
export type Setup = z.infer<typeof Setup>;
export const SetupInput = z.strictObject({ token: z.string().max(1_024), username: Username, password: NewPassword });
export type SetupInput = z.infer<typeof SetupInput>;

export const LoginInput = z.strictObject({ username: z.string().max(1_024), password: z.string().max(4_096) });
export type LoginInput = z.infer<typeof LoginInput>;

export const Session = z.object({ username: z.string(), role: z.enum(ROLES), expires_at: Timestamp });
export type Session = z.infer<typeof Session>;

export const PasswordChange = z.strictObject({ current_password: z.string().max(4_096), new_password: NewPassword });
export type PasswordChange = z.infer<typeof PasswordChange>;

/**
 * Schema of an API key's name. Control characters and line breaks are not allowed, because terminals and logs show the
 * name.
 */
const KeyName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u, 'must be one line without control characters');

export const ApiKeyCreate = z.strictObject({
  name: KeyName,
  role: z.enum(ROLES).optional().describe('Role of the key. Default: the role of its user.'),
  projects: z
    .array(Slug)
    .max(1_000)
    .nullable()
    .default(null)
    .describe('Projects that the key can access. `null`: all projects that its user can access.'),
  expires_at: Timestamp.nullable().default(null),
});
export type ApiKeyCreate = z.infer<typeof ApiKeyCreate>;

export const ApiKey = z
  .object({
    id: z.int(),
    name: z.string(),
    role: z
      .enum(ROLES)
      .describe('Effective role: the lower of two roles, the role of the key and the role of its user.'),
    projects: z.array(z.string()).nullable().describe('Projects that the key can access. `null`: all projects.'),
    created_at: Timestamp,
    expires_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable().describe(
      'Time of the last use of the key, accurate to one minute. `null` if the key was never used.',
    ),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyCreated = z.object({
  ...ApiKey.omit({ last_used_at: true }).shape,
  key: z.string().describe('Secret of the API key. No other response contains the secret.'),
});
export type ApiKeyCreated = z.infer<typeof ApiKeyCreated>;

export const UserSession = z
  .object({
    id: z.int(),
    created_at: Timestamp,
    last_seen_at: Timestamp.describe('Time of the last request of the session, accurate to one minute.'),
    expires_at: Timestamp.describe(
      'Time when the session expires. If the session sends no requests for seven days, it expires earlier.',
    ),
    address: z.string().nullable().describe('IP address from which the user signed in.'),
    user_agent: z.string().nullable().describe('`User-Agent` header of the browser, at most 200 characters.'),
    current: z.boolean().describe('Whether the current request uses this session.'),
  })
  .meta({ id: 'UserSession' });
export type UserSession = z.infer<typeof UserSession>;

export const User = z
  .object({
    username: z.string(),
    role: z.enum(ROLES),
    projects: z.array(z.string()).nullable().describe('Projects that the user can access. `null`: all projects.'),
    blocked: z
      .boolean()
      .describe(
        'Whether the user is blocked. A blocked user cannot sign in, and the API keys of the user do not work.',
      ),
    created_at: Timestamp,
    last_seen_at: Timestamp.nullable().describe(
      'Time of the last request of the user, accurate to one minute. Requests with API keys and requests of OAuth clients also count. `null` if there was no request.',
    ),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

const password = z
  .string()
  .optional()
  .describe('Generated password of the user. No other response contains the password.');

export const UserWithPassword = z.object({ ...User.shape, password }).meta({ id: 'UserWithPassword' });
export type UserWithPassword = z.infer<typeof UserWithPassword>;

const UserProjects = z.array(Slug).max(1_000).nullable();

export const UserCreate = z
  .strictObject({
    username: Username,
    password: NewPassword.optional().describe(
      'Password of the user. Default: a generated password, which only this response contains.',
    ),
    role: z.enum(ROLES),
    projects: UserProjects.default(null).describe('Projects that the user can access. `null`: all projects.'),
  })
  .meta({ id: 'UserCreate' });
export type UserCreate = z.infer<typeof UserCreate>;

export const UserPatch = z
  .strictObject({
    role: z.enum(ROLES).optional(),
    projects: UserProjects.optional().describe('Projects that the user can access. `null`: all projects.'),
    blocked: z
      .boolean()
      .optional()
      .describe(
        'Whether to block the user. If you block the user, Davit ends all their sessions and disconnects their OAuth clients. Their API keys do not work until you unblock the user.',
      ),
    password: NewPassword.optional().describe(
      'New password. If you set a password, Davit ends all sessions of the user and disconnects their OAuth clients. API keys remain valid.',
    ),
    reset_password: z
      .literal(true)
      .optional()
      .describe('`true` generates a new password. Only this response contains the new password.'),
  })
  .refine(({ password, reset_password }) => password === undefined || reset_password === undefined, {
    path: ['reset_password'],
    error: 'cannot be combined with password: send one of the two',
  })
  .meta({ id: 'UserPatch' });
export type UserPatch = z.infer<typeof UserPatch>;

export const Me = z
  .object({
    username: z.string().describe('User name. `local` for the root user of the server.'),
    role: z
      .enum(ROLES)
      .describe(
        'Effective role: the role of the user, or a lower role if the request uses an API key or an OAuth client with a lower role.',
      ),
    projects: z
      .array(z.string())
      .nullable()
      .describe('Projects that the caller can access with the credentials of the request. `null`: all projects.'),
    credential: z.enum(['session', 'key', 'connection', 'local']),
    key: z
      .object({ id: z.int(), name: z.string(), expires_at: Timestamp.nullable() })
      .nullable()
      .describe('API key of the request. `null` if the request uses no API key.'),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;
