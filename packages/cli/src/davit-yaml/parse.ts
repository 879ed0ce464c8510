/** Parses a davit.yaml. Returns the content of the file, or all errors with line and column. */
import { type Document, isMap, isScalar, type LineCounter, type Node, type Pair, visit } from 'yaml';
import { z } from 'zod';
import type { Mistake } from './excerpt.ts';
import { DavitFile, withReference } from './schema.ts';
import { lowerCase, mistakeAt, parseSyntax } from './syntax.ts';
import { type Finding, findingsOf, ownWords } from './words.ts';

type Parsed = { ok: true; file: DavitFile } | { ok: false; mistakes: Mistake[] };

export const MOST_BYTES = 256 * 1024;

export function parseDavitFile(text: string): Parsed {
  if (Buffer.byteLength(text) > MOST_BYTES)
    return refused({ message: 'the file is larger than 256 KiB. Check that it is a davit.yaml' });
  const { document, lines, mistakes } = parseSyntax(text, { uniqueKeys: true });
  if (mistakes.length > 0) return { ok: false, mistakes };
  let data: unknown;
  try {
    data = document.toJS();
  } catch (error) {
    // The parser throws a `ReferenceError` in two cases: an anchor is unknown, or aliases expand to too much data.
    const isBomb = error instanceof ReferenceError && areAliasesKnown(document);
    return refused({
      message: isBomb
        ? 'the file contains YAML aliases that refer to themselves, or too many aliases'
        : lowerCase((error as Error).message),
    });
  }
  if (data === null || data === undefined)
    return refused({ message: 'the file is empty: add at least the line "app: project/environment/app"' });
  const parsed = DavitFile.safeParse(asWritten(data, document.contents), { error: ownWords });
  if (parsed.success) return { ok: true, file: withReference(parsed.data, data) };
  const findings = parsed.error.issues.flatMap((issue) => findingsOf(issue, keysAt, (path) => valueAt(data, path)));
  return {
    ok: false,
    mistakes: findings.map((finding) => mistakeOf(document.contents, lines, finding)).sort(byPosition),
  };
}

function areAliasesKnown(document: Document): boolean {
  let areKnown = true;
  visit(document, {
    Alias(_key, alias) {
      areKnown &&= alias.resolve(document) !== undefined;
    },
  });
  return areKnown;
}

function refused({ message }: { message: string }): Parsed {
  return { ok: false, mistakes: [{ line: 1, column: 1, length: 1, message }] };
}

function byPosition(a: Mistake, b: Mistake): number {
  return a.line - b.line || a.column - b.column;
}

/**
 * Restores the original text of numbers and booleans in fields that must be text. This is necessary because YAML
 * changes the value `1.10` to the number `1.1`, and `0x10` to `16`.
 */
function asWritten(data: unknown, root: Node | null): unknown {
  if (!isRecord(data)) return data;
  const variables = withSources(data.variables, nodeAt(root, ['variables']));
  const build = isRecord(data.build)
    ? { ...data.build, args: withSources(data.build.args, nodeAt(root, ['build', 'args'])) }
    : data.build;
  return {
    ...data,
    ...('variables' in data && { variables }),
    ...('build' in data && { build }),
  };
}

function withSources(values: unknown, node: Node | null): unknown {
  if (!isRecord(values) || !isMap(node)) return values;
  const entries = Object.entries(values).map(([key, value]) => {
    const scalar = node.get(key, true);
    const isBare = typeof value === 'number' || typeof value === 'boolean';
    return [key, isBare && isScalar(scalar) ? (scalar.source ?? String(value)) : value];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the position of an error in the YAML file. A missing key has no position, so the position of its nearest
 * existing parent key is used.
 */
function mistakeOf(root: Node | null, lines: LineCounter, { path, ofKey, message }: Finding): Mistake {
  const named = path.length === 0 || ofKey ? message : `${path.join('.')} ${message}`;
  for (let depth = path.length; depth > 0; depth -= 1) {
    const pair = pairAt(root, path.slice(0, depth));
    const node =
      pair === null ? nodeAt(root, path.slice(0, depth)) : ofKey && depth === path.length ? pair.key : pair.value;
    const range = rangeOf(node) ?? rangeOf(pair?.key);
    if (range !== null) return mistakeAt(lines, range, named);
  }
  return mistakeAt(lines, [0, 1], named);
}

function rangeOf(node: unknown): [number, number] | null {
  const range = (node as Node | null | undefined)?.range;
  // An empty YAML value has no text that can be marked in the error output. Therefore, its key is marked.
  return range && range[1] > range[0] ? [range[0], range[1]] : null;
}

function nodeAt(root: Node | null, path: PropertyKey[]): Node | null {
  let node: unknown = root;
  for (const part of path) {
    const holder = node as { get?: (key: unknown, keepScalar: true) => unknown } | null;
    node = holder?.get?.(part, true);
  }
  return (node as Node | undefined) ?? null;
}

function pairAt(root: Node | null, path: PropertyKey[]): Pair<Node, Node | null> | null {
  const holder = nodeAt(root, path.slice(0, -1));
  if (!isMap(holder)) return null;
  const key = String(path.at(-1));
  const pair = holder.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  return (pair as Pair<Node, Node | null> | undefined) ?? null;
}

function valueAt(data: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], data);
}

/** Returns the keys that the davit.yaml schema allows at a path, for spelling suggestions. */
function keysAt(path: PropertyKey[]): string[] {
  let schemas: z.ZodType[] = [DavitFile];
  for (const part of path) schemas = schemas.flatMap(branches).flatMap((schema) => inside(schema, part));
  return schemas
    .flatMap(branches)
    .flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []));
}

function branches(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(branches);
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable;
  return isWrapped ? branches(schema.unwrap() as z.ZodType) : [schema];
}

function inside(schema: z.ZodType, part: PropertyKey): z.ZodType[] {
  if (schema instanceof z.ZodObject) return part in schema.shape ? [schema.shape[part as string] as z.ZodType] : [];
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  return schema instanceof z.ZodRecord ? [schema.valueType as z.ZodType] : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
