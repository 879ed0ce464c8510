/**
 * Tools for MCP clients: the operations of the contract that are marked as tools. A tool runs its operation with a flat
 * object of arguments, in which one reference names the target.
 */
import { allOperations, allows, Deployment, type Operation, type Role, Task, type Tool as ToolMark } from '@davit/api';
import { z } from 'zod';

export interface Tool {
  /** Id of the operation in snake case. */
  name: string;
  operation: Operation;
  mark: ToolMark;
  /**
   * Argument with the target's reference, `project/environment/app` or a part from its start, or `null` if there is
   * none.
   */
  reference: keyof typeof REFERENCES | null;
  /** Other parameters of the operation's path. */
  path: readonly string[];
  /** Fields of the query by argument. `body` contains the fields of the body. */
  query: ReadonlyMap<string, z.ZodType>;
  body: ReadonlyMap<string, z.ZodType>;
  /** Schema of the response, or `null` for an empty response. A list is in `items`. */
  answer: z.ZodType | null;
  /** Kind of work that the operation starts or reads, if the tool can wait for its end. */
  waits: 'deployment' | 'task' | null;
}

/** Argument that is not a field of the operation. */
export const CONFIRM = 'confirm';

/** Path parameters of each reference in order, and the description of its format. */
export const REFERENCES = {
  app: { names: ['project', 'environment', 'app'], form: 'the reference of an app, “project/environment/app”' },
  database: {
    names: ['project', 'environment', 'database'],
    form: 'the reference of a database, “project/environment/name”',
  },
  environment: { names: ['project', 'environment'], form: 'the reference of an environment, “project/environment”' },
  project: { names: ['project'], form: 'the name of a project' },
} as const;

export const TOOLS: readonly Tool[] = allOperations.flatMap((operation) => {
  return operation.tool === undefined ? [] : [toolOf(operation, operation.tool)];
});

const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

export function toolNamed(name: string): Tool | undefined {
  return BY_NAME.get(name);
}

/**
 * Returns whether the tools list of an actor contains a tool. If an actor calls a tool that is not listed, the
 * operation refuses the call.
 */
export function isFor({ operation, mark }: Tool, { role, projects }: { role: Role; projects: unknown }): boolean {
  return allows(role, operation.permission) && (mark.everywhere !== true || projects === null);
}

/** Creates the tool of an operation. @throws Error if two fields would have one argument name */
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

/** Returns the argument with the target, which a destructive call must repeat as confirmation. */
export function targetOf({ reference, path }: Pick<Tool, 'reference' | 'path'>): string | null {
  return reference ?? path.at(-1) ?? null;
}

/** Returns all arguments of a tool. */
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
  if (!(schema instanceof z.ZodObject)) throw new Error('the query and the body of a tool must be objects');
  const fields = schema.shape as Record<string, z.ZodType>;
  const own = Object.entries(fields).filter(([name]) => !without.includes(name) && !isNamedAnew(name, renamed));
  const anew = Object.entries(renamed).flatMap(([name, field]) =>
    fields[field] ? [[name, fields[field]] as const] : [],
  );
  return new Map([...own, ...anew]);
}

function isNamedAnew(field: string, renamed: Readonly<Record<string, string>>): boolean {
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
  if (double !== undefined) throw new Error(`two fields of ${tool.name} would be the argument ${double}: rename one`);
}
