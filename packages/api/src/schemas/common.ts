import { z } from 'zod';
import { canonicalRepository, isHeldName, oneSpelling } from '../image-reference.ts';
import { isReservedImage } from '../reserved-image.ts';

/**
 * Maximum length of the name of a project, environment or app, in characters. DNS limits the length of host names,
 * which can contain all three names.
 */
export const SLUG_LENGTH = 40;

/** Maximum size of a request body in bytes. */
export const BODY_BYTES = 1024 * 1024;

/**
 * Schema of a resource name, as in URLs. The name never changes, because references, registry paths and host names
 * contain it.
 */
export const Slug = z
  .string()
  .max(SLUG_LENGTH, `must be at most ${SLUG_LENGTH} characters`)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    'must contain only lower-case letters, digits and hyphens, with no hyphen at the start or end',
  )
  .refine((slug) => slug !== 'settings', '“settings” is reserved')
  .describe(
    `Name of the resource, which cannot be changed later. At most ${SLUG_LENGTH} lower-case letters, digits and hyphens, but no hyphen at the start or end.`,
  );

/** Reference of an app as one string: `project/environment/app`. */
export const AppReference = z
  .string()
  .max(3 * SLUG_LENGTH + 2)
  .regex(/^[a-z0-9-]+\/[a-z0-9-]+\/[a-z0-9-]+$/, 'must be the address of an app, “project/environment/app”')
  .describe('Address of an app: `project/environment/app`.');

/**
 * Resource name in a URL path. The characters are not checked, because a request with an unknown name gets status 404.
 */
export const PathName = z.string();

export const Timestamp = z.iso.datetime().describe('Time in RFC 3339 format, in UTC.');

/** Converts milliseconds since the Unix epoch to an RFC 3339 timestamp. Returns `null` for `null`. */
export function timestamp(ms: number): string;
export function timestamp(ms: number | null): string | null;
export function timestamp(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/**
 * Sender of a request: a client, such as `cli`, or the instance. The instance acts after a `push` or at a scheduled
 * time (`schedule`).
 */
export const Via = z
  .enum(['api', 'dashboard', 'cli', 'mcp', 'local', 'push', 'schedule'])
  .describe(
    'Client that sent the request, for example `dashboard`. `push` or `schedule`: Davit itself started the action, after a push or at a scheduled time. `cli` and `mcp` are not verified, because every client can send these values in the header `Davit-Via`.',
  );
export type Via = z.infer<typeof Via>;

/** Boolean query parameter: `true` or `false`. */
export const QueryBoolean = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  /*
   * The OpenAPI document declares this query parameter as a boolean, although a URL contains the text `true` or
   * `false`.
   */
  .meta({ type: 'boolean' });

export function queryInteger(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** Image tag of a release. Only the characters that registries allow in tags are valid. */
export const Tag = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/, 'must be an image tag: at most 128 letters, digits, “_”, “.” and “-”')
  .describe('Image tag.');

/** Tag or digest of an image. With a digest, the image never changes, because Docker then ignores all tags. */
export const TagOrDigest = z
  .string()
  .regex(
    /^(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}|sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/,
    'must be an image tag of at most 128 letters, digits, “_”, “.” and “-”, or a digest such as “sha256:…”',
  )
  .describe('Image tag or digest.');

/** Image repository without tag and digest, in canonical form. Users select the image tag for each deployment. */
export const ImageRepository = z
  .string()
  // The length of the text is checked first, because parsing a very long text (up to 1 MiB) would be slow.
  .max(255, { error: 'must be at most 255 characters', abort: true })
  .refine((text) => canonicalRepository(text) !== null, {
    error: 'must be an image repository without a tag, such as `ghcr.io/acme/web`: specify the tag when you deploy',
    abort: true,
  })
  .refine(
    (text) => !isHeld(text),
    'must not be a name that Davit gives to images of releases: use the original name of the image',
  )
  .refine(
    (image) => !isReservedImage(image),
    'must not begin with `davit/`, which is reserved for images that Davit builds. Use another name',
  )
  .overwrite(oneSpelling)
  .describe(
    'Image repository without a tag or digest, in any registry or already in Docker. Davit stores a normalized name, such as `ghcr.io/acme/web` for `GHCR.io:443/acme/web`.',
  );

function isHeld(text: string): boolean {
  const repository = canonicalRepository(text);
  return repository !== null && isHeldName(repository);
}

/** Argument of a command. NUL characters are not allowed, because Linux cannot pass them to a process. */
export const Argument = z
  .string()
  .max(32_768)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must refuse NUL
  .regex(/^[^\u0000]*$/, 'must not contain NUL');

export const Port = z.int().min(1).max(65_535);
