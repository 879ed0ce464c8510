import type { Diagnostic } from '../diagnostic.ts';
import type { Manifest } from '../manifest.ts';
import { inOrder } from './order.ts';

export interface CheckedFile {
  file: string;
  /**
   * Text of the template file. `null` if the folder contains no template file. In this case, only the other files of
   * the release were checked.
   */
  text: string | null;
  /** Normalized template. `null` if one of the diagnostics is an error. */
  manifest: Manifest | null;
  diagnostics: Diagnostic[];
}

export interface CheckedFileJson {
  file: string;
  valid: boolean;
  /** Problems of the template file, sorted by line. */
  problems: Diagnostic[];
  /** Normalized template. Present only if the template file is valid. */
  manifest?: Manifest;
}

export function checkedFileJson({ file, manifest, diagnostics }: CheckedFile): CheckedFileJson {
  const problems = inOrder(diagnostics);
  return { file, valid: manifest !== null, problems, ...(manifest !== null && { manifest }) };
}
