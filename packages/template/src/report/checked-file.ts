import type { Diagnostic } from '../diagnostic.ts';
import type { Manifest } from '../manifest.ts';
import { inOrder } from './order.ts';

/** A checked template with its name and its content. */
export interface CheckedFile {
  file: string;
  /** Text of the template. If there is no template, the text is `null` and only the other files were checked. */
  text: string | null;
  /** Manifest. `null` exactly if one of the diagnostics is an error. */
  manifest: Manifest | null;
  diagnostics: Diagnostic[];
}

/** Result for programs. */
export interface CheckedFileJson {
  file: string;
  valid: boolean;
  /** Problems, sorted by line. */
  problems: Diagnostic[];
  /** Manifest. Present only if the file is valid. */
  manifest?: Manifest;
}

export function checkedFileJson({ file, manifest, diagnostics }: CheckedFile): CheckedFileJson {
  const problems = inOrder(diagnostics);
  return { file, valid: manifest !== null, problems, ...(manifest !== null && { manifest }) };
}
