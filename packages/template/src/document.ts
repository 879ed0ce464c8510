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
export interface SourceDocument {
  root: SourceNode;
  /** Where a path stands: its key, a list item's value, or the nearest ancestor there is. */
  locate(path: Path): Position;
}
