/**
 * Schemas of the authorization in the browser, with which a program gets access without an API key. The user selects
 * the role and the projects, and the program gets tokens only for the MCP endpoint.
 */
import { z } from 'zod';
import { ROLES } from '../permissions.ts';
import { Slug, Timestamp } from './common.ts';

/** Maximum length of the request of a program. */
const QUERY_LENGTH = 8_192;

const request = z
  .string()
  .min(1)
  .max(QUERY_LENGTH)
  .describe('Query string of the authorization page, which contains the request of the program.');

export const AuthorizationReview = z.strictObject({ request });
export type AuthorizationReview = z.infer<typeof AuthorizationReview>;

/** Request of a program, with everything that a user needs for a decision. */
export const Authorization = z
  .object({
    client: z
      .object({
        id: z
          .string()
          .describe('Client id: the address of the client metadata document. It proves the host of the program.'),
        name: z.string().describe('Name that the program gives itself.'),
        host: z.string().describe('Host of the client metadata document.'),
      })
      .describe('Program that requests access.'),
    redirect_host: z.string().describe('Host to which the browser is redirected with the answer.'),
    on_this_machine: z.boolean().describe('Whether the redirect goes to a program on the computer of the browser.'),
    role: z
      .enum(ROLES)
      .describe('Role that the program requests. The user can choose another one, but no more rights than their own.'),
    roles: z.array(z.enum(ROLES)).describe('Roles that the signed-in user can give.'),
    projects: z.array(z.string()).describe('Projects that the signed-in user can give access to.'),
  })
  .meta({ id: 'Authorization' });
export type Authorization = z.infer<typeof Authorization>;

export const Consent = z.strictObject({
  request,
  allow: z.boolean(),
  role: z.enum(ROLES).default('viewer'),
  projects: z
    .array(Slug)
    .min(1)
    .max(1_000)
    .nullable()
    .default(null)
    .describe('Projects that the program can access. `null`: all projects that the user can access.'),
});
export type Consent = z.infer<typeof Consent>;
export type ConsentInput = z.input<typeof Consent>;

export const Consented = z.object({
  redirect_to: z
    .string()
    .describe('Address to which the browser must be redirected. The program receives the answer there.'),
});
export type Consented = z.infer<typeof Consented>;

/** A connected program, to which a user gave access. */
export const Connection = z
  .object({
    id: z.int(),
    client_id: z.string(),
    client_name: z.string(),
    role: z
      .enum(ROLES)
      .describe('Effective role: the role that was given, or the role of the user if that has fewer rights.'),
    projects: z.array(z.string()).nullable().describe('Projects that the program can access. `null`: all projects.'),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().describe(
      'Time of the last use, accurate to one minute. `null` if it was never used.',
    ),
    expires_at: Timestamp.describe('Time when the access ends. Each use of the access extends it.'),
  })
  .meta({ id: 'Connection' });
export type Connection = z.infer<typeof Connection>;
