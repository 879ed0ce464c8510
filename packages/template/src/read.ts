import type { Diagnostic } from './diagnostic.ts';
import type { SourceDocument } from './document.ts';
import type { Draft } from './draft.ts';
import { Findings } from './findings.ts';
import { TEMPLATE } from './schema/template.ts';
import { checkShape } from './shape/check.ts';
import { parseYaml } from './yaml/parse.ts';

/** Result of parsing a template file and checking its keys and types. */
export interface Read {
  document: SourceDocument | null;
  /** Parsed template with valid keys and types. `null` if the template file has an error. */
  draft: Draft | null;
  /**
   * Problems with syntax, keys and types. They already contain line numbers. Reason: later code finds the line of a
   * problem by its key, but some problems have no key.
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
  // The type cast is safe, because the check above allows only the keys and types that `Draft` declares.
  const draft = found.some(isError) ? null : (value as Draft);
  return { document, draft, problems: [...problems, ...found] };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
