import type { Diagnostic } from './diagnostic.ts';
import type { SourceDocument } from './document.ts';
import type { Draft } from './draft.ts';
import { Findings } from './findings.ts';
import { TEMPLATE } from './schema/template.ts';
import { checkShape } from './shape/check.ts';
import { parseYaml } from './yaml/parse.ts';

/** Result of reading a file. If there is no draft, the problems contain the reason. */
export interface Read {
  document: SourceDocument | null;
  /** Draft, or `null` if the YAML or the shape is invalid. */
  draft: Draft | null;
  /** Problems of parsing and of the shape with their positions, because no path leads to some of them. */
  problems: Diagnostic[];
}

/** Parses a text and checks its shape. Never throws, whatever the text contains. */
export function readTemplate(text: string): Read {
  const { document, problems } = parseYaml(text);
  if (!document || problems.some(isError)) return { document, draft: null, problems };
  const findings = new Findings();
  const value = checkShape(document.root, TEMPLATE, { path: [], position: document.root.position }, findings);
  const found = findings.all();
  // A value with a valid shape is a draft, because both are declared from the same list of keys.
  const draft = found.some(isError) ? null : (value as Draft);
  return { document, draft, problems: [...problems, ...found] };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
