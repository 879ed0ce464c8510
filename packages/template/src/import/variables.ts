/** Variable in a Compose file, such as `${NAME}`. Docker Compose reads its value from the shell or from `.env`. */
export interface Variable {
  name: string;
  /** Default value of the Compose variable. `null` if the variable has no default value. */
  fallback: string | null;
}

/**
 * Characters at the start and end of a placeholder for a Compose variable. `mark` first removes these characters from
 * the Compose file.
 */
const [OPEN, CLOSE] = ['\ue000', '\ue001'];
const MARK = /\ue000(\d+)\ue001/g;
const DEEPEST = 8;
/** Maximum length of a Compose variable in characters, including its default value. */
const LONGEST = 1_000;

/**
 * Replaces Compose variables, such as `${NAME:-default}`, with placeholders. Equal variables get equal placeholders, so
 * texts with placeholders can be compared.
 */
export class Variables {
  readonly #known: Variable[] = [];

  /**
   * Replaces Compose variables with placeholders, and `$$` with `$`. Removes NUL characters, because no process can
   * receive NUL.
   */
  mark(text: string): string {
    return this.#read(text.replaceAll(/[\0\ue000\ue001]/g, ''), 0);
  }

  /**
   * Replaces each Compose variable with its default value or an empty text. Used for values that do not become template
   * inputs.
   */
  plain(text: string): string {
    return this.fill(this.mark(text), ({ fallback }) => fallback ?? '');
  }

  /** Replaces each placeholder of a Compose variable with the result of `valueOf`. */
  fill(marked: string, valueOf: (variable: Variable) => string): string {
    return marked.replace(MARK, (_mark, index: string) => {
      const variable = this.#known[Number(index)];
      return variable === undefined ? '' : valueOf(variable);
    });
  }

  /** Returns the Compose variables that occur in a text as placeholders. */
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

  /**
   * Parses the Compose variable that starts at a `$` character. Returns a placeholder for the variable, and the
   * position after the variable.
   */
  #readOne(text: string, dollar: number, depth: number): [piece: string, end: number] {
    if (text[dollar + 1] === '$') return ['$', dollar + 2];
    const bare = /^[A-Za-z_][A-Za-z0-9_]*/.exec(text.slice(dollar + 1, dollar + 129))?.[0];
    if (bare !== undefined) return [this.#markOf(bare, null), dollar + 1 + bare.length];
    const end = closingBrace(text, dollar + 1);
    const inside = end < 0 ? '' : text.slice(dollar + 2, end);
    const [, name, operator = '', argument = ''] =
      /^([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-?+])([\s\S]*))?$/.exec(inside) ?? [];
    if (name === undefined) return ['$', dollar + 1];
    // During an import, no variable has a value. Therefore, `${NAME:+text}` becomes an empty text, as in Compose.
    if (operator.endsWith('+')) return ['', end + 1];
    if (!operator.endsWith('-')) return [this.#markOf(name, null), end + 1];
    const inner = depth >= DEEPEST ? '' : this.#read(argument, depth + 1);
    /*
     * If the default value contains a variable without a default value, the text of the default value is used, as in
     * Compose.
     */
    if (this.in(inner).some(({ fallback }) => fallback === null)) return [inner, end + 1];
    return [
      this.#markOf(
        name,
        this.fill(inner, ({ fallback }) => fallback ?? ''),
      ),
      end + 1,
    ];
  }

  #markOf(name: string, fallback: string | null): string {
    // A variable can have different default values in different places. Such uses are treated as different variables.
    const isSame = (known: Variable) =>
      known.name === name && (known.fallback === fallback || known.fallback === null || fallback === null);
    let index = this.#known.findIndex(isSame);
    if (index < 0) index = this.#known.push({ name, fallback }) - 1;
    const known = this.#known[index];
    if (known?.fallback === null) known.fallback = fallback;
    return `${OPEN}${index}${CLOSE}`;
  }
}

/** Returns the position of the closing brace. Returns -1 if the opening or the closing brace is missing. */
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
