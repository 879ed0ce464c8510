import type { Diagnostic } from './diagnostic.ts';
import type { SourceDocument } from './document.ts';
import type { Draft } from './draft.ts';
import { Findings } from './findings.ts';
import { TEMPLATE } from './schema/template.ts';
import { checkShape } from './shape/check.ts';
import { parseYaml } from './yaml/parse.ts';

/** Result of parsing a template file. */
export interface Read {
  document: SourceDocument | null;
  /** Parsed template file with valid keys and types. `null` if at least one of the problems is an error. */
  draft: Draft | null;
  /**
   * Problems of the YAML syntax, and of keys and types. All of them already have positions, because some have no path
   * in the template file.
   */
  problems: Diagnostic[];
}

/** Parses a template file and checks its keys and types. Never throws. */
export function readTemplate(text: string): Read {
  const { document, problems } = parseYaml(text);
  if (!document || problems.some(isError)) return { document, draft: null, problems };
  const findings = new Findings();
  const value = checkShape(document.root, TEMPLATE, { path: [], position: document.root.position }, findings);
  const found = findings.all();
  // The type cast is safe, because `Draft` and the checked format declare the same keys.
  const draft = found.some(isError) ? null : (value as Draft);
  return { document, draft, problems: [...problems, ...found] };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
