import type { Diagnostic } from '../diagnostic.ts';
import type { Manifest } from '../manifest.ts';
import { inOrder } from './order.ts';

/** A template that was checked, with what it was called and what it says. */
export interface CheckedFile {
  file: string;
  /** Null: there is none, so that only what is around it was checked. */
  text: string | null;
  /** Null exactly when one of the diagnostics is an error. */
  manifest: Manifest | null;
  diagnostics: Diagnostic[];
}

/** What programs read of it. */
export interface CheckedFileJson {
  file: string;
  valid: boolean;
  /** By line. */
  problems: Diagnostic[];
  /** Only of a valid file. */
  manifest?: Manifest;
}

export function checkedFileJson({ file, manifest, diagnostics }: CheckedFile): CheckedFileJson {
  const problems = inOrder(diagnostics);
  return { file, valid: manifest !== null, problems, ...(manifest !== null && { manifest }) };
}
