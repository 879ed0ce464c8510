/**
 * JSON schemas of the arguments and results of MCP tools. Each schema is one object without `$ref`, because some MCP
 * clients do not support references.
 */
import type { JSONObject, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CONFIRM, type Tool, targetOf } from './tools.ts';

type JsonSchema = JSONObject;

/** Tool as listed in the response to `tools/list`. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  /** JSON schema of the result. The field is set only if the client requested result schemas. */
  outputSchema?: ObjectSchema;
  annotations: ToolAnnotations;
}

export interface ObjectSchema extends JsonSchema {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required: string[];
}

const REFERENCE_TEXTS = {
  app: 'The app, written as `project/environment/app`.',
  database: 'The database, written as `project/environment/name`.',
  environment: 'The environment, written as `project/environment`.',
  project: 'Name of the project.',
} as const;

/** Returns a tool for the response to `tools/list`, without the JSON schema of its result. */
export function listed(tool: Tool): ListedTool {
  const { name, operation, mark } = tool;
  const { summary, description, effect, method } = operation;
  return {
    name,
    title: summary,
    description: [`${summary}.`, mark.description ?? description].filter(Boolean).join(' '),
    inputSchema: inputSchema(tool),
    annotations: {
      title: summary,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destroy',
      idempotentHint: method !== 'POST' || effect === 'read' || mark.repeatable === true,
      openWorldHint: mark.reachesOut === true,
    },
  };
}

/** Returns a tool for the response to `tools/list`, with the JSON schema of its result. */
export function listedWithOutput(tool: Tool): ListedTool & { outputSchema: ObjectSchema } {
  return { ...listed(tool), outputSchema: outputSchema(tool) };
}

export function inputSchema(tool: Tool): ObjectSchema {
  const { reference, path, query, body, operation, mark } = tool;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const add = (name: string, schema: JsonSchema, isRequired: boolean) => {
    properties[name] = schema;
    if (isRequired) required.push(name);
  };
  if (reference !== null) add(reference, { type: 'string', description: REFERENCE_TEXTS[reference] }, true);
  for (const name of path) add(name, pathSchema(tool, name), true);
  for (const [name, field] of body) {
    const isRequired = !field.safeParse(undefined).success || mark.required?.includes(name) === true;
    add(name, described(jsonSchema(field, 'input'), name, mark), isRequired);
  }
  for (const [name, field] of query) {
    add(name, described(queryField(tool, name, field), name, mark), !field.safeParse(undefined).success);
  }
  const target = targetOf(tool);
  if (operation.effect === 'destroy' && target !== null) {
    const description = `Confirmation of the action: the same value as \`${target}\`.`;
    add(CONFIRM, { type: 'string', description }, true);
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

function described(schema: JsonSchema, name: string, { says = {} }: Tool['mark']): JsonSchema {
  return says[name] === undefined ? schema : { ...schema, description: says[name] };
}

export function outputSchema({ answer, operation }: Tool): ObjectSchema {
  if (answer === null) {
    const done = {
      type: 'boolean',
      description: 'Result of the action. Always `true`, because the tool returns an error if the action fails.',
    };
    return { type: 'object', properties: { done }, required: ['done'] };
  }
  const schema = lean(jsonSchema(answer, 'output'));
  if (!(answer instanceof z.ZodArray)) return schema as ObjectSchema;
  const isPaged = operation.query instanceof z.ZodObject && 'cursor' in operation.query.shape;
  const next = { type: 'string', description: 'Value of `cursor` for the next page. Absent on the last page.' };
  return { type: 'object', properties: { items: schema, ...(isPaged && { next }) }, required: ['items'] };
}

/** Names of URL path parameters that are texts. All other URL path parameters are integers. */
const TEXTS = new Set(['tag', 'database', 'object_store', 'bucket', 'owner', 'name']);

function pathSchema({ operation }: Tool, name: string): JsonSchema {
  const description = operation.params?.shape[name]?.description ?? name;
  return { type: TEXTS.has(name) ? 'string' : 'integer', description };
}

/**
 * Returns the JSON schema of a tool argument that becomes a parameter of the URL query. Clients send booleans and
 * integers, and Davit converts them to text.
 */
function queryField(tool: Tool, name: string, field: z.ZodType): JsonSchema {
  const { pattern: _, enum: values, ...schema } = jsonSchema(field, 'input');
  if (tool.waits !== null && name === 'wait') {
    const isUsual = tool.operation.effect !== 'read';
    return {
      type: 'boolean',
      default: isUsual,
      description: `Whether the response waits for the end of the ${tool.waits}.`,
    };
  }
  if (Array.isArray(values) && values.includes('true')) return { ...schema, type: 'boolean' };
  if (schema.type === 'integer') return schema;
  return jsonSchema(field, 'input');
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, $defs, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  return inlined(rest, ($defs ?? {}) as Record<string, JsonSchema>) as JsonSchema;
}

/** Replaces each `$ref` with its definition, because some MCP clients do not support references. */
function inlined(value: unknown, defs: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((one) => inlined(one, defs));
  if (value === null || typeof value !== 'object') return value;
  const { $ref, ...own } = value as JsonSchema;
  const named = typeof $ref === 'string' ? defs[$ref.slice($ref.lastIndexOf('/') + 1)] : undefined;
  const { id: _, ...whole } = { ...named, ...own } as JsonSchema;
  // Remove `pattern` from the JSON schema of a date-time. The pattern is long, and `format` has the same meaning.
  if (whole.format === 'date-time') delete whole.pattern;
  const entries = Object.entries(whole).filter(([key, one]) => !isNoBound(key, one));
  return Object.fromEntries(
    entries.map(([key, one]) => [
      key,
      key === 'properties' ? fields(one, (field) => inlined(field, defs)) : inlined(one, defs),
    ]),
  );
}

/**
 * Converts the JSON schema of each field in `properties`. A field can have the same name as a keyword, such as
 * `pattern`.
 */
function fields(properties: unknown, change: (field: unknown) => unknown): unknown {
  return Object.fromEntries(Object.entries(properties as object).map(([name, field]) => [name, change(field)]));
}

/**
 * Returns whether a `minimum` or `maximum` is only the limit of exact integers in JavaScript. MCP clients do not need
 * this limit.
 */
function isNoBound(key: string, value: unknown): boolean {
  return (key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

/**
 * JSON schema keywords that are removed from result schemas. Clients need not validate results, and newer Davit
 * versions may return more fields.
 */
const OF_NO_USE = new Set(['pattern', 'format', 'additionalProperties', 'minLength', 'maxLength', 'default']);

function lean(value: unknown): JsonSchema {
  return leanValue(value, 0) as JsonSchema;
}

function leanValue(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((one) => leanValue(one, depth));
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key, one]) => isOfUse(key, one, depth));
  return Object.fromEntries(
    kept.map(([key, one]) => [
      key,
      key === 'properties' ? fields(one, (field) => leanValue(field, depth + 1)) : leanValue(one, depth),
    ]),
  );
}

/**
 * Returns whether a keyword stays in the JSON schema of a tool result. Only the result itself and its direct fields
 * keep their `description`.
 */
function isOfUse(key: string, value: unknown, depth: number): boolean {
  if (key === 'description') return depth < 2;
  // Keep `additionalProperties` only if its value is a schema, and not if it is `true` or `false`.
  return !OF_NO_USE.has(key) || (key === 'additionalProperties' && typeof value === 'object');
}
