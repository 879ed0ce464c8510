/**
 * The tools of agents: the operations of the contract that are marked as one. A tool is its operation with another way to
 * say what is asked: one flat object of arguments, in which what an operation acts on is one reference.
 */
import { allOperations, allows, Deployment, type Operation, type Role, Task, type Tool as ToolMark } from '@davit/api';
import { z } from 'zod';

export interface Tool {
  /** The operation's id in snake case. */
  name: string;
  operation: Operation;
  mark: ToolMark;
  /** The argument that names what it acts on, «project/environment/app» or the beginning of that; null: none. */
  reference: keyof typeof REFERENCES | null;
  /** The other names in the operation's address. */
  path: readonly string[];
  /** Fields of the query and of the body, by the name of their argument. */
  query: ReadonlyMap<string, z.ZodType>;
  body: ReadonlyMap<string, z.ZodType>;
  /** What is answered: an object as it is, a list in `items`; null: nothing. */
  answer: z.ZodType | null;
  /** What it begins or reads, when it can be answered at the end of that. */
  waits: 'deployment' | 'task' | null;
}

/** Arguments that are not fields of the operation. */
export const CONFIRM = 'confirm';

/** What stands in an address for a reference, in its order, and how a caller is told to write one. */
export const REFERENCES = {
  app: { names: ['project', 'environment', 'app'], form: 'an app’s reference, «project/environment/app»' },
  database: {
    names: ['project', 'environment', 'database'],
    form: 'a database’s reference, «project/environment/name»',
  },
  environment: { names: ['project', 'environment'], form: 'an environment’s reference, «project/environment»' },
  project: { names: ['project'], form: 'a project’s name' },
} as const;

export const TOOLS: readonly Tool[] = allOperations.flatMap((operation) => {
  return operation.tool === undefined ? [] : [toolOf(operation, operation.tool)];
});

const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

export function toolNamed(name: string): Tool | undefined {
  return BY_NAME.get(name);
}

/** Whether a tool is listed for who has these rights; who is not shown one and calls it gets the operation's own refusal. */
export function isFor({ operation, mark }: Tool, { role, projects }: { role: Role; projects: unknown }): boolean {
  return allows(role, operation.permission) && (mark.everywhere !== true || projects === null);
}

/** @throws Error for two fields that would be one argument */
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

/** The argument that is named twice by who destroys something: what it acts on. */
export function targetOf({ reference, path }: Pick<Tool, 'reference' | 'path'>): string | null {
  return reference ?? path.at(-1) ?? null;
}

/** Every argument of a tool. */
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
