/**
 * MCP tool for an API operation. The arguments are a single flat object. An argument such as `app` contains the
 * reference of the resource.
 */
import { allOperations, allows, Deployment, type Operation, type Role, Task, type Tool as ToolMark } from '@davit/api';
import { z } from 'zod';

export interface Tool {
  /** Name of the tool: the id of the API operation in snake case. */
  name: string;
  operation: Operation;
  mark: ToolMark;
  /**
   * Name of the argument that identifies the resource, such as `app` for `project/environment/app`. `null` if the URL
   * path contains no resource.
   */
  reference: keyof typeof REFERENCES | null;
  /**
   * URL path parameters that are separate arguments. The other path parameters form the resource reference, such as
   * `project/environment/app`.
   */
  path: readonly string[];
  /** Schemas of the URL query parameters, by argument name. */
  query: ReadonlyMap<string, z.ZodType>;
  /** Schemas of the fields of the request body, by argument name. */
  body: ReadonlyMap<string, z.ZodType>;
  /**
   * Schema of the API response, or `null` for an empty response. If the response is an array, the array is in the field
   * `items` of the tool result.
   */
  answer: z.ZodType | null;
  /** Object for whose end the tool can wait: a deployment or a task. `null` for API operations that start neither. */
  waits: 'deployment' | 'task' | null;
}

/** Name of the argument that confirms a destructive tool call. The argument is not sent to the API. */
export const CONFIRM = 'confirm';

/**
 * Arguments that identify a resource. `names` lists the URL path parameters in order. `form` describes the argument in
 * error messages.
 */
export const REFERENCES = {
  app: { names: ['project', 'environment', 'app'], form: 'an app in the form “project/environment/app”' },
  database: {
    names: ['project', 'environment', 'database'],
    form: 'a database in the form “project/environment/name”',
  },
  environment: { names: ['project', 'environment'], form: 'an environment in the form “project/environment”' },
  project: { names: ['project'], form: 'the name of a project' },
} as const;

export const TOOLS: readonly Tool[] = allOperations.flatMap((operation) => {
  return operation.tool === undefined ? [] : [toolOf(operation, operation.tool)];
});

const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

export function toolNamed(name: string): Tool | undefined {
  return BY_NAME.get(name);
}

/** Returns whether a user's permissions allow a tool. The API refuses calls of tools that are not allowed. */
export function isFor({ operation, mark }: Tool, { role, projects }: { role: Role; projects: unknown }): boolean {
  return allows(role, operation.permission) && (mark.everywhere !== true || projects === null);
}

/**
 * Creates the MCP tool that runs the given API operation.
 * @throws Error if two arguments would have the same name
 */
export function toolOf(operation: Operation, mark: ToolMark): Tool {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const reference = referenceOf(names);
  const covered: readonly string[] = reference === null ? [] : REFERENCES[reference].names;
  const tool: Tool = {
    name: snakeCase(operation.id),
    operation,
    mark,
    reference,
    path: names.filter((name) => !covered.includes(name)),
    query: fieldsOf(operation.query, mark),
    body: fieldsOf(operation.body, mark),
    answer: answerOf(operation, mark),
    waits: null,
  };
  demandDistinct(tool);
  return { ...tool, waits: tool.query.has('wait') ? waitedFor(tool.answer) : null };
}

function waitedFor(answer: z.ZodType | null): Tool['waits'] {
  if (answer === Deployment) return 'deployment';
  return answer === Task ? 'task' : null;
}

export function snakeCase(id: string): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Returns the name of the argument that identifies the resource. A call that deletes the resource must repeat the value
 * of this argument in `confirm`.
 */
export function targetOf({ reference, path }: Pick<Tool, 'reference' | 'path'>): string | null {
  return reference ?? path.at(-1) ?? null;
}

export function toolArguments({ reference, path, query, body, operation }: Tool): string[] {
  return [
    ...(reference === null ? [] : [reference as string]),
    ...path,
    ...body.keys(),
    ...query.keys(),
    ...(operation.effect === 'destroy' ? [CONFIRM] : []),
  ];
}

function referenceOf(names: readonly string[]): Tool['reference'] {
  if (names.includes('app')) return 'app';
  if (names.includes('database')) return 'database';
  if (names.includes('environment')) return 'environment';
  return names.includes('project') ? 'project' : null;
}

function fieldsOf(schema: z.ZodType | undefined, { without = [], renamed = {} }: ToolMark): Map<string, z.ZodType> {
  if (schema === undefined) return new Map();
  if (!(schema instanceof z.ZodObject))
    throw new Error(
      'cannot create an MCP tool from an API operation whose query schema or body schema is not an object',
    );
  const fields = schema.shape as Record<string, z.ZodType>;
  const own = Object.entries(fields).filter(([name]) => !without.includes(name) && !isRenamed(name, renamed));
  const renamedFields = Object.entries(renamed).flatMap(([name, field]) =>
    fields[field] ? [[name, fields[field]] as const] : [],
  );
  return new Map([...own, ...renamedFields]);
}

function isRenamed(field: string, renamed: Readonly<Record<string, string>>): boolean {
  return Object.values(renamed).includes(field);
}

function answerOf({ responses }: Operation, { answer }: ToolMark): z.ZodType | null {
  if (answer) return answer;
  const [lowest] = Object.keys(responses).map(Number).sort();
  return responses[lowest ?? 200]?.schema ?? null;
}

function demandDistinct(tool: Tool): void {
  const names = toolArguments(tool);
  const double = names.find((name, i) => names.indexOf(name) !== i);
  if (double !== undefined)
    throw new Error(
      `two fields of the tool ${tool.name} would become the same argument, ${double}: rename one of them`,
    );
}
