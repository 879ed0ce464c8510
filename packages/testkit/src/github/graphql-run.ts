import { type GraphDocument, type GraphValue, parseGraph, type Selection } from './graphql-document.ts';

/**
 * GraphQL object of the simulated GitHub. Each field contains a value, or a function that computes the value from the
 * arguments of the field.
 */
export interface GraphObject {
  __typename: string;
  [field: string]: unknown;
}

export interface GraphErrorDocument {
  type?: string;
  path?: (string | number)[];
  extensions?: object;
  locations?: { line: number; column: number }[];
  message: string;
}

/**
 * Error during the computation of a GraphQL field. The field becomes `null`, and the response lists the error next to
 * the data.
 */
export class GraphFailure extends Error {
  readonly type: string;
  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

const LOCATIONS = [{ line: 1, column: 1 }];

/** Runs a GraphQL query. Like a response of the real GitHub, the response contains data, errors, or both. */
export function runGraph(query: string, variables: Record<string, unknown>, root: GraphObject): object {
  let document: GraphDocument;
  try {
    document = parseGraph(query);
  } catch (error) {
    return { errors: [{ message: (error as Error).message, locations: LOCATIONS }] };
  }
  for (const [name, type] of document.variables) {
    if (type.endsWith('!') && (variables[name] ?? null) === null) {
      const message = `Variable $${name} of type ${type} was provided invalid value`;
      return { errors: [{ extensions: { value: null, problems: [] }, locations: LOCATIONS, message }] };
    }
  }
  const run = new Run(document, variables);
  const data = run.object(root, document.selections, []);
  if (run.invalid.length > 0) return { errors: run.invalid };
  return run.errors.length > 0 ? { data, errors: run.errors } : { data };
}

class Run {
  readonly errors: GraphErrorDocument[] = [];
  /** Errors in the text of the GraphQL query. If the query has such errors, the response contains no data. */
  readonly invalid: GraphErrorDocument[] = [];
  readonly #document: GraphDocument;
  readonly #variables: Record<string, unknown>;

  constructor(document: GraphDocument, variables: Record<string, unknown>) {
    this.#document = document;
    this.#variables = variables;
  }

  object(of: GraphObject, selections: Selection[], path: (string | number)[]): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    for (const selection of selections) {
      if (selection.kind === 'field') this.#field(of, selection, path, found);
      else Object.assign(found, this.#fragment(of, selection, path));
    }
    return found;
  }

  #fragment(of: GraphObject, selection: Exclude<Selection, { kind: 'field' }>, path: (string | number)[]): object {
    const fragment = selection.kind === 'inline' ? selection : this.#document.fragments.get(selection.fragment);
    return fragment && fragment.on === of.__typename ? this.object(of, fragment.selections, path) : {};
  }

  #field(
    of: GraphObject,
    { key, name, args, skip, of: inner }: Extract<Selection, { kind: 'field' }>,
    path: (string | number)[],
    found: Record<string, unknown>,
  ): void {
    if (skip && this.#value(skip) === false) return;
    if (!(name in of)) {
      const extensions = { code: 'undefinedField', typeName: of.__typename, fieldName: name };
      const message = `Field '${name}' doesn't exist on type '${of.__typename}'`;
      this.invalid.push({ path: ['query', ...path, key], extensions, locations: LOCATIONS, message });
      return;
    }
    const given = Object.fromEntries(Object.entries(args).map(([arg, value]) => [arg, this.#value(value)]));
    const at = [...path, key];
    found[key] = this.#shaped(() => (typeof of[name] === 'function' ? of[name](given) : of[name]), inner, at);
  }

  #shaped(make: () => unknown, selections: Selection[], path: (string | number)[]): unknown {
    try {
      const value = make();
      if (Array.isArray(value)) return value.map((one, index) => this.#shaped(() => one, selections, [...path, index]));
      if (value instanceof GraphFailure) throw value;
      return isObject(value) ? this.object(value, selections, path) : (value ?? null);
    } catch (error) {
      if (!(error instanceof GraphFailure)) throw error;
      this.errors.push({ type: error.type, path, locations: LOCATIONS, message: error.message });
      return null;
    }
  }

  #value(value: GraphValue): unknown {
    return 'variable' in value ? this.#variables[value.variable] : value.literal;
  }
}

function isObject(value: unknown): value is GraphObject {
  return typeof value === 'object' && value !== null;
}
