/**
 * Schemas for OAuth authorization, with which a client gets a role in projects without an API key. The client's access
 * tokens are valid only for the MCP endpoint.
 */
import { z } from 'zod';
import { ROLES } from '../permissions.ts';
import { Slug, Timestamp } from './common.ts';

/** Maximum length of the query string of an OAuth authorization request, in characters. */
const QUERY_LENGTH = 8_192;

const request = z
  .string()
  .min(1)
  .max(QUERY_LENGTH)
  .describe('Query string of the authorization page. The query string contains the request of the client.');

export const AuthorizationReview = z.strictObject({ request });
export type AuthorizationReview = z.infer<typeof AuthorizationReview>;

/** OAuth authorization request of a client. The dashboard shows this data before the user allows access. */
export const Authorization = z
  .object({
    client: z
      .object({
        id: z
          .string()
          .describe(
            'Client ID: the URL of the client metadata document. The URL proves which host the client belongs to.',
          ),
        name: z.string().describe('Name of the client, as the client reports it.'),
        host: z.string().describe('Host of the client metadata document.'),
      })
      .describe('Client that requests access, for example an AI assistant.'),
    redirect_host: z.string().describe('Host to which Davit redirects the browser with the decision of the user.'),
    on_this_machine: z
      .boolean()
      .describe('Whether the redirect goes to the computer of the user, and not to a website.'),
    role: z
      .enum(ROLES)
      .describe(
        'Role that the client requests. The user can choose another role, but not a role with more permissions than their own.',
      ),
    roles: z.array(z.enum(ROLES)).describe('Roles that the signed-in user can give to the client.'),
    projects: z.array(z.string()).describe('Projects that the signed-in user can allow the client to access.'),
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
    .describe('Projects that the client can access. `null`: all projects that the user can access.'),
});
export type Consent = z.infer<typeof Consent>;
export type ConsentInput = z.input<typeof Consent>;

export const Consented = z.object({
  redirect_to: z
    .string()
    .describe('URL to redirect the browser to. The client receives the decision of the user at this URL.'),
});
export type Consented = z.infer<typeof Consented>;

/** OAuth client that may use the MCP endpoint for the user. */
export const Connection = z
  .object({
    id: z.int(),
    client_id: z.string(),
    client_name: z.string(),
    role: z
      .enum(ROLES)
      .describe(
        'Effective role: the lower of two roles, the role that the user gave to the client and the role of the user.',
      ),
    projects: z.array(z.string()).nullable().describe('Projects that the client can access. `null`: all projects.'),
    created_at: Timestamp,
    last_used_at: Timestamp.nullable().describe(
      'Time of the last request of the client, accurate to one minute. `null` if the client has sent no request.',
    ),
    expires_at: Timestamp.describe(
      'Time when the OAuth access of the client expires. Each request of the client extends the access.',
    ),
  })
  .meta({ id: 'Connection' });
export type Connection = z.infer<typeof Connection>;
