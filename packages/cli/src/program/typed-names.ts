/**
 * Translates the names of API fields in error messages to the names that users type: options, arguments, variables and
 * settings. All commands share this translation.
 */
import type { DavitError, FieldProblem } from '@davit/api';
import type { Command } from '../declaration/command.ts';
import { flagName } from '../declaration/flag-name.ts';

/** Options and arguments of commands that set an API field with another name. Outer objects of the field are left out. */
const OTHER_NAMES: Record<string, readonly string[]> = {
  slug: ['name', 'environment'],
  name: ['app', 'bucket'],
  labels: ['label'],
  headers: ['header'],
  inputs: ['input'],
  memory_bytes: ['memory'],
  disk_bytes: ['disk'],
};

/** Fields with a map, whose option sets one entry of the map. */
const MAPS = ['labels', 'headers', 'inputs'];

type Declared = Pick<Command, 'path' | 'arguments' | 'options'>;

/**
 * Returns the message of an API error for users of a command. If the error is about fields, the message names what the
 * user typed.
 */
export function messageFor(error: Pick<DavitError, 'code' | 'fields' | 'message'>, command?: Declared): string {
  if (command === undefined || error.code !== 'invalid_input' || error.fields.length === 0) return error.message;
  return error.fields.map((field) => sentenceOf(field, command)).join(' ');
}

function sentenceOf({ path, code, message }: FieldProblem, command: Declared): string {
  if (path === '') return message;
  const name = typedName(path, command);
  if (code !== 'unknown') return `${name}: ${message}`;
  return command.path.join(' ') === 'settings set'
    ? `${name}: is not a setting. List the settings with \`davit settings get\`.`
    : `${name}: is not known to this version of the instance. Update the instance.`;
}

/** Returns the name that the user typed for a field. Returns the path of the field if no option or argument sets it. */
function typedName(path: string, command: Declared): string {
  if (command.path[0] === 'env' && path.startsWith('set.')) return path.slice('set.'.length);
  const parts = path.split('.');
  const [top = '', ...rest] = parts;
  // The keys of a map can have the name of any field, so only the name of the map is compared.
  if (MAPS.includes(top)) {
    const [name] = namesOf(top, command);
    return name === undefined ? path : [name, rest.join('.')].join(' ').trimEnd();
  }
  for (let end = parts.length; end > 0; end--) {
    const [name] = [parts.slice(0, end).join('.'), parts[end - 1] ?? ''].flatMap((field) => namesOf(field, command));
    if (name !== undefined) return name;
  }
  return path;
}

/** Returns the options and arguments of a command that set a field, as the user types them. */
function namesOf(field: string, command: Declared): string[] {
  return [camelCase(field), ...(OTHER_NAMES[field] ?? [])]
    .filter((name) => isDeclared(name, command))
    .map((name) => (Object.hasOwn(command.options, name) ? `--${flagName(name)}` : name));
}

function isDeclared(name: string, { arguments: args, options }: Declared): boolean {
  return Object.hasOwn(options, name) || Object.hasOwn(args, name);
}

function camelCase(field: string): string {
  return field.replaceAll(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
