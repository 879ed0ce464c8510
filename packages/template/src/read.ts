import type { Problem } from './diagnostic.ts';
import type { SourceDocument } from './document.ts';
import type { Draft } from './draft.ts';

/** A file read as far as it could be: without a draft its problems say why. */
export interface Read {
  document: SourceDocument | null;
  /** Null: the YAML or the shape is wrong. */
  draft: Draft | null;
  /** Of parsing and of the shape, with the places that a path cannot tell. */
  problems: Problem[];
}

/** Reads text into a draft: parses it, then holds its shape against the format. Never throws, whatever the text. */
export function readTemplate(_text: string): Read {
  throw new Error('not written yet');
}
