import { type Document, isAlias, isCollection, isMap, isScalar, isSeq, type Pair, Scalar } from 'yaml';
import type { Diagnostic, Path } from '../diagnostic.ts';
import type { MapEntry, MapNode, Position, ScalarNode, SourceNode } from '../document.ts';
import { Findings } from '../findings.ts';
import { Positions } from './positions.ts';
import { tagOfExplicit, tagOfPlain } from './scalar.ts';

/**
 * YAML document as a tree of values. `problems` lists YAML features that are not allowed in a template, such as
 * aliases.
 */
export interface Tree {
  root: SourceNode;
  problems: Diagnostic[];
}

/**
 * Maximum number of characters of an unusual YAML key in an error message. An unusual key is a list, a mapping or an
 * alias.
 */
const EXCERPT = 40;
const WRITE_OUT = 'Write the value out in full.';
const NOTHING: ScalarNode = { kind: 'scalar', position: { line: 1, column: 1 }, tag: 'null', text: '' };

/**
 * Converts a document of the YAML library to a tree of values. Each value has a position. Each scalar has a type of the
 * template format.
 */
export function treeOf(document: Document.Parsed, text: string): Tree {
  const builder = new TreeBuilder(text);
  const root = builder.node(document.contents, []);
  if (builder.unknownAlias) return { root, problems: [builder.unknownAlias] };
  return { root, problems: [...builder.findings.all(), ...(builder.keyAnchor ? [builder.keyAnchor] : [])] };
}

class TreeBuilder {
  readonly findings = new Findings();
  /**
   * Problem for the first YAML alias with a missing anchor. A document with such an alias is invalid YAML, so only this
   * problem is reported.
   */
  unknownAlias: Diagnostic | null = null;
  /** Warning about the first YAML anchor (`&x`) before a key. */
  keyAnchor: Diagnostic | null = null;
  readonly #text: string;
  readonly #positions: Positions;
  readonly #anchors = new Set<string>();
  /**
   * Number of YAML anchors (`&name`) on the current value and its parents. Above 0, most problems are not reported,
   * because the anchor itself is already reported.
   */
  #silent = 0;

  constructor(text: string) {
    this.#text = text;
    this.#positions = new Positions(text);
  }

  /**
   * Converts a value of the YAML library to a value with its position.
   * @param at position of the key. Absent for a list item and the root
   */
  node(found: unknown, path: Path, at?: Position): SourceNode {
    if (isAlias(found)) return this.#alias(found.source, this.#place(found.range), path, at);
    if (!isScalar(found) && !isCollection(found)) return { ...NOTHING, ...(at ? { position: at } : {}) };
    const position = this.#place(found.range);
    const { anchor } = found;
    if (anchor !== undefined) {
      this.#anchors.add(anchor);
      this.#tell('yaml.alias', `The file uses an anchor, \`&${anchor}\`.`, path, at ?? position, WRITE_OUT);
      this.#silent += 1;
    }
    const node = isScalar(found) ? this.#scalar(found, position) : this.#collection(found, position, path);
    if (anchor !== undefined) this.#silent -= 1;
    return node;
  }

  #scalar(found: Scalar, position: Position): ScalarNode {
    const text = this.#textOf(found);
    const own = found.tag === undefined || found.tag === '!' ? null : tagOfExplicit(found.tag);
    const plain = found.type === Scalar.PLAIN || found.type === undefined;
    return { kind: 'scalar', position, tag: own ?? (plain ? tagOfPlain(text) : 'string'), text };
  }

  /**
   * Returns the text of a YAML scalar. If a file has no line feed at its end, the library adds one to a block scalar.
   * This function removes this line feed.
   */
  #textOf({ source = '', type, range }: Scalar): string {
    const isBlock = type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;
    const cutOff = isBlock && (range?.[1] ?? 0) >= this.#text.length && !this.#text.endsWith('\n');
    return cutOff ? source.replace(/\n$/, '') : source;
  }

  #collection(found: unknown, position: Position, path: Path): SourceNode {
    if (isMap(found)) return this.#map(found.items, position, path);
    const items = isSeq(found) ? found.items : [];
    return { kind: 'list', position, items: items.map((item, index) => this.node(item, [...path, index])) };
  }

  #map(pairs: Pair[], position: Position, path: Path): MapNode {
    const entries: MapEntry[] = [];
    const lines = new Map<string, number>();
    for (const pair of pairs) {
      const { key, keyPosition } = this.#key(pair.key, path);
      const first = lines.get(key);
      if (first === undefined) lines.set(key, keyPosition.line);
      else this.#repeated(key, first, path, keyPosition);
      entries.push({ key, keyPosition, value: this.node(pair.value, [...path, key], keyPosition) });
    }
    return { kind: 'map', position, entries };
  }

  #key(found: unknown, path: Path): { key: string; keyPosition: Position } {
    if (isScalar(found)) {
      const key = String(found.source ?? found.value ?? '');
      const keyPosition = this.#place(found.range);
      if (found.anchor !== undefined) this.#anchored(found.anchor, [...path, key], keyPosition);
      return { key, keyPosition };
    }
    const { position } = this.node(found, path);
    return { key: this.#excerpt(found), keyPosition: position };
  }

  /**
   * Warns about the first YAML anchor (`&x`) before a key. Such an anchor has no effect. This is not an error, because
   * the older platform Cubeship allows such anchors.
   */
  #anchored(anchor: string, path: Path, position: Position): void {
    this.#anchors.add(anchor);
    if (this.#silent > 0) return;
    this.keyAnchor ??= {
      severity: 'warning',
      code: 'yaml.key-anchor',
      message: `The anchor \`&${anchor}\` is before a key and has no effect.`,
      path,
      ...position,
      hint: 'Remove the anchor.',
    };
  }

  /** Returns the original text of a YAML key that is a list, a mapping or an alias. */
  #excerpt(found: unknown): string {
    if (!isCollection(found) && !isAlias(found)) return '';
    const [from, to] = found.range ?? [0, 0];
    return this.#text.slice(from, Math.min(to, from + EXCERPT));
  }

  #alias(name: string, position: Position, path: Path, at = position): SourceNode {
    if (!this.#anchors.has(name)) {
      const message = `The alias \`*${name}\` has no anchor.`;
      const hint = 'Write the value out in full, in quotes if it begins with an asterisk.';
      this.unknownAlias ??= {
        severity: 'error',
        code: 'yaml.syntax',
        message,
        path: [],
        line: position.line,
        hint,
      };
    }
    this.#tell('yaml.alias', `The file uses an alias, \`*${name}\`.`, path, at, WRITE_OUT);
    return { kind: 'scalar', position, tag: 'other', text: `*${name}` };
  }

  #repeated(key: string, first: number, path: Path, position: Position): void {
    const message = `The key \`${key}\` is repeated. The key is already on line ${first}.`;
    this.#tell('yaml.syntax', message, path, position, 'Remove one of the two keys.');
  }

  #tell(code: string, message: string, path: Path, position: Position, hint: string): void {
    if (this.#silent === 0) this.findings.add(code, { path, position }, message, () => hint);
  }

  #place(range: [number, number, number] | null | undefined): Position {
    return this.#positions.at(range?.[0] ?? 0);
  }
}
