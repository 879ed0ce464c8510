import type { Diagnostic } from './diagnostic.ts';
import type { SourceDocument } from './document.ts';
import type { Draft } from './draft.ts';
import { Findings } from './findings.ts';
import { TEMPLATE } from './schema/template.ts';
import { checkShape } from './shape/check.ts';
import { parseYaml } from './yaml/parse.ts';

/** A file read as far as it could be: without a draft its problems say why. */
export interface Read {
  document: SourceDocument | null;
  /** Null: the YAML or the shape is wrong. */
  draft: Draft | null;
  /** Of parsing and of the shape, with their places: some are where no path leads to. */
  problems: Diagnostic[];
}

/** Reads text into a draft: parses it, then holds its shape against the format. Never throws, whatever the text. */
export function readTemplate(text: string): Read {
  const { document, problems } = parseYaml(text);
  if (!document || problems.some(isError)) return { document, draft: null, problems };
  const findings = new Findings();
  const value = checkShape(document.root, TEMPLATE, { path: [], position: document.root.position }, findings);
  const found = findings.all();
  // What has no problem with the format's shape is a draft: both are declared from the same list of keys.
  const draft = found.some(isError) ? null : (value as Draft);
  return { document, draft, problems: [...problems, ...found] };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
