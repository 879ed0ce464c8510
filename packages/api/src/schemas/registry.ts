import { z } from 'zod';
import { Slug, Timestamp } from './common.ts';

/**
 * Matches text without control characters. A control character could end an HTTP header or a line of a text protocol.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must refuse control characters
const PRINTABLE = /^[^\u0000-\u001f\u007f]+$/;

const Username = z
  .string()
  .min(1)
  .max(255)
  .regex(PRINTABLE, 'must not contain control characters')
  .refine((name) => !name.includes(':'), 'must not contain “:”')
  .describe('User name at the registry.');

const Password = z
  .string()
  .min(1)
  .max(16_384)
  .regex(PRINTABLE, 'must not contain control characters')
  .describe(
    'Password or token for the registry. Davit stores the password encrypted. No response contains the password.',
  );

const Projects = z
  .array(Slug)
  .min(1)
  .max(1_000)
  .nullable()
  .describe(
    'Projects that use these credentials to pull images. `null`: all projects. A registry host has at most one set of credentials per project. Credentials of a project take precedence over credentials for all projects.',
  );

export const Registry = z
  .object({
    id: z.int().describe('ID of the credentials.'),
    host: z.string().describe('Host of the registry in lower case, with an optional port. `docker.io` for Docker Hub.'),
    projects: z
      .array(z.string())
      .nullable()
      .describe('Projects that use these credentials to pull images. `null`: all projects.'),
    username: z.string().describe('User name at the registry.'),
    checked_at: Timestamp.nullable().describe(
      'Time of the last successful check of the credentials. `null` if Davit has never checked the credentials.',
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Registry' });
export type Registry = z.infer<typeof Registry>;

export const RegistryCreate = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .max(300)
      .describe('Host of the registry, for example `ghcr.io` or `registry.example.com:5000`.'),
    username: Username,
    password: Password,
    projects: Projects.default(null),
  })
  .meta({ id: 'RegistryCreate' });
export type RegistryCreate = z.infer<typeof RegistryCreate>;

export const RegistryPatch = z
  .strictObject({ username: Username.optional(), password: Password.optional(), projects: Projects.optional() })
  .meta({
    id: 'RegistryPatch',
    description: 'Fields to change. Absent fields do not change. You cannot change the host.',
  });
export type RegistryPatch = z.infer<typeof RegistryPatch>;
