/** A variable that a Compose file takes from the shell or from `.env`. */
export interface Variable {
  name: string;
  /** Null: there is none, and it must be given. */
  fallback: string | null;
}

/** Around the number of a variable in a marked text: no file means these two. */
const [OPEN, CLOSE] = ['\ue000', '\ue001'];
const MARK = /\ue000(\d+)\ue001/g;
const DEEPEST = 8;
/** A variable with its default is not longer than this. */
const LONGEST = 1_000;

/**
 * Interpolation: `$NAME`, `${NAME}`, `${NAME:-default}` and their like. A marked text has a mark in place of each
 * variable, the same for the same name wherever it is used, so that texts can be compared and taken apart.
 */
export class Variables {
  readonly #known: Variable[] = [];

  /** Puts marks in place of variables, and `$` in place of `$$`. */
  mark(text: string): string {
    return this.#read(text.replaceAll(/[\ue000\ue001]/g, ''), 0);
  }

  /** The text of a place that nobody is asked for: with defaults, and nothing where there is none. */
  plain(text: string): string {
    return this.fill(this.mark(text), ({ fallback }) => fallback ?? '');
  }

  /** Replaces each mark. */
  fill(marked: string, valueOf: (variable: Variable) => string): string {
    return marked.replace(MARK, (_mark, index: string) => {
      const variable = this.#known[Number(index)];
      return variable === undefined ? '' : valueOf(variable);
    });
  }

  /** The variables of a marked text. */
  in(marked: string): Variable[] {
    return Array.from(marked.matchAll(MARK), ([, index]) => this.#known[Number(index)]).filter(
      (one) => one !== undefined,
    );
  }

  #read(text: string, depth: number): string {
    let marked = '';
    for (let at = 0; at < text.length; ) {
      const dollar = text.indexOf('$', at);
      if (dollar < 0) return marked + text.slice(at);
      marked += text.slice(at, dollar);
      const [piece, end] = this.#readOne(text, dollar, depth);
      marked += piece;
      at = end;
    }
    return marked;
  }

  /** What a `$` begins, marked, and where it ends. */
  #readOne(text: string, dollar: number, depth: number): [piece: string, end: number] {
    if (text[dollar + 1] === '$') return ['$', dollar + 2];
    const bare = /^[A-Za-z_][A-Za-z0-9_]*/.exec(text.slice(dollar + 1, dollar + 129))?.[0];
    if (bare !== undefined) return [this.#markOf(bare, null), dollar + 1 + bare.length];
    const end = closingBrace(text, dollar + 1);
    const inside = end < 0 ? '' : text.slice(dollar + 2, end);
    const [, name, operator = '', argument = ''] =
      /^([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-?+])([\s\S]*))?$/.exec(inside) ?? [];
    if (name === undefined) return ['$', dollar + 1];
    // What stands there only when the variable is set: nobody has set it.
    if (operator.endsWith('+')) return ['', end + 1];
    const fallback = operator.endsWith('-') ? this.#fallback(argument, depth) : null;
    return [this.#markOf(name, fallback), end + 1];
  }

  #fallback(argument: string, depth: number): string {
    if (depth >= DEEPEST) return '';
    const inner = new Variables();
    return inner.fill(inner.#read(argument, depth + 1), ({ fallback }) => fallback ?? '');
  }

  #markOf(name: string, fallback: string | null): string {
    let index = this.#known.findIndex((known) => known.name === name);
    if (index < 0) index = this.#known.push({ name, fallback }) - 1;
    const known = this.#known[index];
    if (known?.fallback === null) known.fallback = fallback;
    return `${OPEN}${index}${CLOSE}`;
  }
}

/** Where the brace ends that opens at an offset; -1: it does not, or there is none. */
function closingBrace(text: string, open: number): number {
  if (text[open] !== '{') return -1;
  let depth = 0;
  const last = Math.min(text.length, open + LONGEST);
  for (let at = open; at < last; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}
