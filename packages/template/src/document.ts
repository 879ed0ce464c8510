import type { Path } from './diagnostic.ts';

/** A place in the text, from 1; columns count code points. */
export interface Position {
  line: number;
  /** Absent: only the line is known. */
  column?: number;
}

/** What a plain scalar is by the rules of the format (YAML 1.2 with a few of 1.1, as Go reads it). */
export type ScalarTag = 'string' | 'int' | 'float' | 'bool' | 'null' | 'timestamp' | 'other';

/** One value of the file with its place. */
export type SourceNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  kind: 'scalar';
  position: Position;
  tag: ScalarTag;
  /** As written, without quotes: `1.50` stays `1.50`. */
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

/** A file that could be read as YAML. */
export class SourceDocument {
  readonly root: SourceNode;
  /** Of mappings that were looked into, so that looking for many places in a wide one stays cheap. */
  readonly #entries = new WeakMap<MapNode, Map<string, MapEntry>>();

  constructor(root: SourceNode) {
    this.root = root;
  }

  /** Where a path stands: its key, a list item's value, or the nearest ancestor there is. */
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
