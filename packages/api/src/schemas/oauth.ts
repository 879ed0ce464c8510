/**
 * How a program asks a person for access in the browser, instead of being given a key. The person decides with what role
 * and for which projects; the program gets tokens for the MCP endpoint alone.
 */
import { z } from 'zod';
import { ROLES } from '../permissions.ts';
import { Slug, Timestamp } from './common.ts';

/** Longer than any program's question. */
const QUERY_LENGTH = 8_192;

const request = z
  .string()
  .min(1)
  .max(QUERY_LENGTH)
  .describe('What the program asked: the query of the page’s address.');

export const AuthorizationReview = z.strictObject({ request });
export type AuthorizationReview = z.infer<typeof AuthorizationReview>;

/** Who asks, and for what: what a person needs to see before he decides. */
export const Authorization = z
  .object({
    client: z
      .object({
        id: z.string().describe('The address of its description; what it proves is that host.'),
        name: z.string().describe('What it calls itself.'),
        host: z.string().describe('Who describes it.'),
      })
      .describe('The program that asks.'),
    redirect_host: z.string().describe('Where the answer goes.'),
    on_this_machine: z.boolean().describe('It goes to a program on the machine that the browser runs on.'),
    role: z.enum(ROLES).describe('What it asks for. A person gives what they want to, and never more than their own.'),
    roles: z.array(z.enum(ROLES)).describe('What the person who is signed in may give.'),
    projects: z.array(z.string()).describe('The projects that the person may give.'),
  })
  .meta({ id: 'Authorization' });
export type Authorization = z.infer<typeof Authorization>;

export const Consent = z.strictObject({
  request,
  allow: z.boolean(),
  role: z.enum(ROLES).default('viewer'),
  projects: z.array(Slug).min(1).max(1_000).nullable().default(null).describe('Null: all that the person sees.'),
});
export type Consent = z.infer<typeof Consent>;
export type ConsentInput = z.input<typeof Consent>;

export const Consented = z.object({
  redirect_to: z.string().describe('Where the browser goes now: the program waits there for the answer.'),
});
export type Consented = z.infer<typeof Consented>;

/** A program that a person has let in. */
export const Connection = z
  .object({
    id: z.int(),
    client_id: z.string(),
    client_name: z.string(),
    role: z.enum(ROLES).describe('What it carries now: what it was given, or its owner’s role where that is narrower.'),
    projects: z.array(z.string()).nullable().describe('The projects it sees; null: all.'),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().describe('To the minute.'),
    expires_at: Timestamp.describe('Unless it is used before then.'),
  })
  .meta({ id: 'Connection' });
export type Connection = z.infer<typeof Connection>;
