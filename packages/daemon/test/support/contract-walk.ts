/** Helpers that call every operation, including operations added later: paths, valid bodies and fields. */
import { type App, allOperations, type Operation } from '@davit/api';
import { deployedApp, type TestDaemon } from '@davit/testkit';
import { z } from 'zod';
import { appBySlugs } from '../../src/db/tables/app.ts';
import { recordRelease } from '../../src/db/tables/release-tag.ts';
import { LISTED } from './listed-catalog.ts';
import { makeCertificate } from './make-certificate.ts';
import { createAttachedResources } from './resources-setup.ts';

export type Json = Record<string, unknown>;

/**
 * Candidate values for fields. A field gets the first value that its schema accepts. Extend the list if an operation
 * has a field that accepts none.
 */
const CANDIDATES: readonly unknown[] = [
  ...[
    'sample',
    'acme/web',
    'v1',
    'SIGTERM',
    '/data',
    'sample.example.com',
    'registry.example.com',
    // A time that does not occur while a test runs.
    '0 0 29 2 *',
    'UTC',
  ],
  ...['postgres', 'generic', 'http://127.0.0.1:9', 'GET', 'media/'],
  ...['image', 'http', 'member', 'correct horse battery', 'sample/production/web', '2030-01-01T00:00:00Z', 'KEY', ''],
  ...[8080, 17_500, 1, 30, 1_000, 64 * 1024 ** 2, true, null],
  ...[['true'], [1], [], {}, { KEY: 'value' }],
];

const { certificate, key } = await makeCertificate(['sample.example.com']);

/** Values that a pattern or additional validation outside the schema requires, by the name of the field. */
const HINTS: Record<string, unknown> = {
  host: 'sample.example.com',
  from: 'none',
  certificate,
  key,
  // A raw X25519 key of 32 bytes in base64url.
  public_key: 'a'.repeat(43),
};

/**
 * Returns a valid value for a schema.
 * @throws Error with the field that accepts no candidate
 */
export function sampleOf(schema: z.ZodType, what: string): unknown {
  const bare = unwrapped(schema);
  if (bare instanceof z.ZodObject) return sampleObject(bare, schema, what);
  if (bare instanceof z.ZodUnion) {
    for (const option of bare.options) {
      const sample = attempt(() => sampleOf(option as z.ZodType, what));
      if (sample !== undefined && schema.safeParse(sample).success) return sample;
    }
  }
  const found = CANDIDATES.find((candidate) => schema.safeParse(candidate).success);
  if (found === undefined) throw new Error(`${what}: add a value that it takes to the candidates of this file`);
  return found;
}

/** Returns an object with the required fields, and further fields if a rule about the whole object requires them. */
function sampleObject(object: z.ZodObject, schema: z.ZodType, what: string): Json {
  const fields = Object.entries(object.shape) as [string, z.ZodType][];
  const required = fields.filter(([, field]) => !field.safeParse(undefined).success);
  const sample: Json = Object.fromEntries(
    required.map(([name, field]) => [name, HINTS[name] ?? sampleOf(field, `${what}.${name}`)]),
  );
  if (schema.safeParse(sample).success) return sample;
  for (const [name, field] of fields) {
    const more = attempt(() => sampleOf(field, `${what}.${name}`));
    if (schema.safeParse({ ...sample, [name]: more }).success) return { ...sample, [name]: more };
  }
  throw new Error(`${what}: no sample was found that it takes as a whole`);
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    // Another candidate may be valid.
    return undefined;
  }
}

/** Returns a schema without wrappers that make it optional, nullable or give it a default. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  let bare = schema;
  while (
    bare instanceof z.ZodOptional ||
    bare instanceof z.ZodNullable ||
    bare instanceof z.ZodDefault ||
    bare instanceof z.ZodPrefault
  ) {
    bare = bare.unwrap() as z.ZodType;
  }
  return bare;
}

/** Position in a body at which a text can be inserted, with a function that inserts it. */
export interface BodyPosition {
  name: string;
  /** Whether a text can be valid at this position. */
  takesText: boolean;
  /** Schema of the field. The schema is the same object in all operations that share the declaration of the field. */
  rule: unknown;
  put(body: Json, text: string): Json;
}

/** Returns all fields of an object at any depth. */
export function positionsOf(schema: z.ZodType, depth = 0): BodyPosition[] {
  const bare = unwrapped(schema);
  if (bare instanceof z.ZodUnion) return bare.options.flatMap((option) => positionsOf(option as z.ZodType, depth));
  if (!(bare instanceof z.ZodObject) || depth > 3) return [];
  return Object.entries(bare.shape).flatMap(([name, field]) => positionsOfField(name, field as z.ZodType, depth));
}

function positionsOfField(name: string, field: z.ZodType, depth: number): BodyPosition[] {
  const bare = unwrapped(field);
  const own = (suffix: string, rule: unknown, valueOf: (text: string) => unknown): BodyPosition => ({
    name: `${name}${suffix}`,
    takesText: !(rule instanceof z.ZodNumber || rule instanceof z.ZodBoolean),
    rule,
    put: (body, text) => ({ ...body, [name]: valueOf(text) }),
  });
  const inner = positionsOf(bare, depth + 1).map(
    (position): BodyPosition => ({
      ...position,
      name: `${name}.${position.name}`,
      put: (body, text) => ({ ...body, [name]: position.put((body[name] as Json | undefined) ?? {}, text) }),
    }),
  );
  if (bare instanceof z.ZodArray) return [own('[]', bare, (text) => [text])];
  if (bare instanceof z.ZodRecord) {
    const { keyType, valueType } = bare;
    return [own('.key', keyType, (text) => ({ [text]: 'x' })), own('.value', valueType, (text) => ({ KEY: text }))];
  }
  if (inner.length > 0) return inner;
  return [own('', bare, (text) => text)];
}

/** An operation with a complete path. */
export interface Callable {
  operation: Operation;
  /** Path with an existing resource, if there is one. */
  path: string;
}

/** Creates one resource of every kind, and returns every operation with its path. */
export async function callables(daemon: TestDaemon): Promise<Callable[]> {
  const { app, deployment } = await deployedApp(daemon);
  const values: Record<string, string> = {
    project: app.project,
    environment: app.environment,
    app: app.name,
    deployment: String(deployment.id),
    tag: pushed(daemon, app),
    ...LISTED,
    ...(await createAttachedResources(daemon, app)),
  };
  const pathOf = (path: string) => `/api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1')}`;
  for (const { path } of allOperations) {
    const [, base, parameter] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
    if (base === undefined || parameter === undefined || values[parameter] !== undefined) continue;
    const maker = allOperations.find((candidate) => candidate.method === 'POST' && candidate.path === base);
    if (maker?.body === undefined) continue;
    const { status, text } = await daemon.call('POST', pathOf(base), sampleOf(maker.body, maker.id));
    const made = status === 201 ? (JSON.parse(text) as Record<string, unknown>) : {};
    values[parameter] = String(made.id ?? made.username ?? made.slug ?? 'none');
  }
  return allOperations.map((operation) => ({ operation, path: pathOf(operation.path) }));
}

/**
 * Puts a release into the registry, and records it like a push.
 * @returns its tag
 */
function pushed({ registry, core: { store } }: TestDaemon, app: App): string {
  const tag = 'pushed';
  const digest = registry.push(app.reference, tag);
  const appId = appBySlugs(store, app.project, app.environment, app.name)?.id ?? 0;
  store.tx((tx) => recordRelease(tx, { appId, tag, digest, at: Date.now(), by: null }));
  return tag;
}

/** Runs work for each item with limited concurrency. */
export async function eachOf<T>(items: Iterable<T>, atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
