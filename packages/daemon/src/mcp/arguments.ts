/**
 * Converts the arguments of an MCP tool call into the API request of the tool's operation. The API validates the
 * values.
 */
import { type DavitError, invalidField } from '@davit/api';
import { quote } from '@davit/service';
import type { Question } from '../http/inner.ts';
import { CONFIRM, REFERENCES, type Tool, targetOf } from './tools.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export function questionOf(tool: Tool, args: Arguments): Question {
  const { operation, path, query, mark } = tool;
  const inPath = new Set<string>([...path, ...(tool.reference === null ? [] : [tool.reference])]);
  const values = new Map([
    ...referenceValues(tool, args),
    ...path.map((name) => [name, pathValue(name, args)] as const),
  ]);
  const queryParameters: Record<string, string> = { ...mark.always };
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    if (inPath.has(name) || (name === CONFIRM && operation.effect === 'destroy')) continue;
    if (mark.without?.includes(name) === true && !query.has(name)) throw notAnArgument(name, tool);
    const field = mark.renamed?.[name] ?? name;
    if (query.has(name) || operation.body === undefined) {
      // Skip arguments with the value `null`. MCP clients often send `null`, but a URL query cannot contain it.
      if (value !== null) queryParameters[field] = typeof value === 'string' ? value : JSON.stringify(value);
    } else body[field] = value;
  }
  const isSent = operation.body !== undefined && (operation.bodyOptional !== true || Object.keys(body).length > 0);
  return {
    operation: operation.id,
    path: `/api${operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))}`,
    query: queryParameters,
    ...(isSent && { body }),
  };
}

/**
 * Checks that a destructive MCP tool call repeats the name or id of the resource. This check runs before all other
 * checks.
 * @throws DavitError invalid_input
 */
export function demandConfirmed(tool: Tool, args: Arguments): void {
  const { name, operation } = tool;
  const named = targetOf(tool);
  if (operation.effect !== 'destroy' || named === null) return;
  const given = args[named];
  // If the id is a number, the argument `confirm` can be the number or a string with the same digits.
  const target = typeof given === 'number' ? String(given) : given;
  if (typeof target === 'string' && (args[CONFIRM] === target || args[CONFIRM] === given)) return;
  const what = typeof target === 'string' ? `“${quote(target)}”` : `the value of “${named}”`;
  throw invalidField(
    CONFIRM,
    'mismatch',
    `must be ${what}, because ${name} deletes data. Nothing was changed. Ask the user before you confirm.`,
  );
}

function referenceValues({ reference }: Tool, args: Arguments): (readonly [string, string])[] {
  if (reference === null) return [];
  const { names, form } = REFERENCES[reference];
  const value = args[reference];
  const parts = typeof value === 'string' ? value.split('/') : [];
  if (parts.length !== names.length || parts.includes(''))
    throw invalidField(reference, 'invalid_format', `must be ${form}.`);
  return names.map((name, i) => [name, parts[i] ?? ''] as const);
}

function pathValue(name: string, args: Arguments): string {
  const value = args[name];
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return String(value);
  throw value === undefined
    ? invalidField(name, 'required', 'is required.')
    : invalidField(name, 'wrong_type', 'must be a number.');
}

function notAnArgument(name: string, tool: Tool): DavitError {
  return invalidField(quote(name), 'unknown', `The tool ${tool.name} has no argument with this name.`);
}
