import type { Path } from './diagnostic.ts';

/** Position in the text of a template file. Line and column start at 1. Columns count code points. */
export interface Position {
  line: number;
  /** Column number in code points. The first column is 1. Absent if only the line is known. */
  column?: number;
}

/**
 * Type of a YAML scalar without quotes. The types follow YAML 1.2 and some rules of YAML 1.1 that Go's YAML library
 * also uses.
 */
export type ScalarTag = 'string' | 'int' | 'float' | 'bool' | 'null' | 'timestamp' | 'other';

/** Value in a template file with its position. */
export type SourceNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  kind: 'scalar';
  position: Position;
  tag: ScalarTag;
  /** Text of the value in the template file, without quotes. For example, `1.50` is not changed to `1.5`. */
  text: string;
}

export interface ListNode {
  kind: 'list';
  position: Position;
  items: SourceNode[];
}

export interface MapNode {
  kind: 'map';
  position: Position;
  entries: MapEntry[];
}

export interface MapEntry {
  key: string;
  keyPosition: Position;
  value: SourceNode;
}

/** Parsed YAML document of a template file. */
export class SourceDocument {
  readonly root: SourceNode;
  /**
   * Cache of the entries of YAML mappings by key. A mapping is added at the first lookup in this mapping. With the
   * cache, many lookups in a large mapping are fast.
   */
  readonly #entries = new WeakMap<MapNode, Map<string, MapEntry>>();

  constructor(root: SourceNode) {
    this.root = root;
  }

  /**
   * Returns the position of the key or list item at a path. If the path does not exist, returns the position of its
   * closest existing parent.
   */
  locate(path: Path): Position {
    let node = this.root;
    let position = node.position;
    for (const step of path) {
      if (node.kind === 'map') {
        const entry = this.#entriesOf(node).get(String(step));
        if (!entry) break;
        position = entry.keyPosition;
        node = entry.value;
      } else {
        const item = node.kind === 'list' ? node.items[Number(step)] : undefined;
        if (!item) break;
        position = item.position;
        node = item;
      }
    }
    return position;
  }

  #entriesOf(node: MapNode): Map<string, MapEntry> {
    const known = this.#entries.get(node);
    if (known) return known;
    const entries = new Map(node.entries.map((entry) => [entry.key, entry]));
    this.#entries.set(node, entries);
    return entries;
  }
}
