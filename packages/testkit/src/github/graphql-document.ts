/**
 * Parsed GraphQL query document. Supports operations, fragments, aliases, arguments, variables and directives, which
 * are enough for the simulated GitHub.
 */
export interface GraphDocument {
  selections: Selection[];
  fragments: Map<string, Fragment>;
  /** Map from the name of a variable to its GraphQL type, including `!` for required variables. */
  variables: Map<string, string>;
}

export interface Fragment {
  on: string;
  selections: Selection[];
}

export type Selection =
  | {
      kind: 'field';
      key: string;
      name: string;
      args: Record<string, GraphValue>;
      skip: GraphValue | null;
      of: Selection[];
    }
  | { kind: 'spread'; fragment: string }
  | ({ kind: 'inline' } & Fragment);

export type GraphValue = { variable: string } | { literal: unknown };

const TOKEN = /\s*(?:#[^\n]*\n\s*|,\s*)*(\.\.\.|[{}()[\]:!$=@]|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|[A-Za-z_]\w*|$)/y;

/**
 * Parses a GraphQL query.
 * @throws SyntaxError if the text is not a query that the simulated GitHub supports
 */
export function parseGraph(text: string): GraphDocument {
  const parser = new Parser(text);
  const document: GraphDocument = { selections: [], fragments: new Map(), variables: new Map() };
  while (parser.next !== '') {
    if (parser.takes('fragment')) {
      const name = parser.take();
      parser.expect('on');
      document.fragments.set(name, { on: parser.take(), selections: parser.selections() });
    } else {
      if (parser.takes('query') && parser.next !== '{') {
        if (parser.next !== '(') parser.take();
        document.variables = parser.variables();
      }
      document.selections = parser.selections();
    }
  }
  return document;
}

class Parser {
  next = '';
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.take();
  }

  take(): string {
    const taken = this.next;
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#text);
    if (!match) throw new SyntaxError(`Parse error on ${JSON.stringify(this.#text.slice(this.#at, this.#at + 20))}`);
    this.#at = TOKEN.lastIndex;
    this.next = match[1] ?? '';
    return taken;
  }

  takes(token: string): boolean {
    if (this.next !== token) return false;
    this.take();
    return true;
  }

  expect(token: string): void {
    if (!this.takes(token)) throw new SyntaxError(`Parse error on "${this.next}" (expected ${token})`);
  }

  variables(): Map<string, string> {
    const found = new Map<string, string>();
    if (!this.takes('(')) return found;
    while (!this.takes(')')) {
      this.expect('$');
      const name = this.take();
      this.expect(':');
      let type = '';
      while (this.next !== '$' && this.next !== ')') type += this.take();
      found.set(name, type);
    }
    return found;
  }

  selections(): Selection[] {
    const found: Selection[] = [];
    this.expect('{');
    while (!this.takes('}')) found.push(this.#selection());
    return found;
  }

  #selection(): Selection {
    if (this.takes('...')) {
      if (this.takes('on')) return { kind: 'inline', on: this.take(), selections: this.selections() };
      return { kind: 'spread', fragment: this.take() };
    }
    const key = this.take();
    if (!/^\w+$/.test(key)) throw new SyntaxError(`Parse error on "${key}" (expected a field)`);
    const name = this.takes(':') ? this.take() : key;
    const args = this.next === '(' ? this.#args() : {};
    const skip = this.#include();
    return { kind: 'field', key, name, args, skip, of: this.next === '{' ? this.selections() : [] };
  }

  /** Parses the GraphQL directive `@include(if: …)`. Other directives are not supported. */
  #include(): GraphValue | null {
    if (!this.takes('@')) return null;
    this.expect('include');
    return this.#args().if ?? null;
  }

  #args(): Record<string, GraphValue> {
    const args: Record<string, GraphValue> = {};
    this.expect('(');
    while (!this.takes(')')) {
      const name = this.take();
      this.expect(':');
      args[name] = this.next === '$' ? this.#variable() : { literal: this.#literal() };
    }
    return args;
  }

  #variable(): GraphValue {
    this.expect('$');
    return { variable: this.take() };
  }

  #literal(): unknown {
    if (this.takes('{')) {
      const object: Record<string, unknown> = {};
      while (!this.takes('}')) {
        const name = this.take();
        this.expect(':');
        object[name] = this.#literal();
      }
      return object;
    }
    const token = this.take();
    return /^(?:["-]|\d|true$|false$|null$)/.test(token) ? JSON.parse(token) : token;
  }
}
