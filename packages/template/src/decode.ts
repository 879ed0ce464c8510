import type { Diagnostic } from './diagnostic.ts';
import { Positions } from './yaml/positions.ts';

export type Decoded = { text: string } | { problem: Diagnostic };

/**
 * Decodes the bytes of a template file as UTF-8. A byte order mark is not removed, because the YAML parser skips it.
 */
export function decodeTemplate(bytes: Uint8Array): Decoded {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: notUtf8(bytes) };
  }
}

function notUtf8(bytes: Uint8Array): Diagnostic {
  const first = bytes[0] ?? 0;
  const isUtf16 = first + (bytes[1] ?? 0) === 0xff + 0xfe && first >= 0xfe;
  const hint = isUtf16 ? 'The file is UTF-16. Save the file as UTF-8.' : 'Save the file as UTF-8.';
  const problem = {
    severity: 'error',
    code: 'yaml.encoding',
    message: 'The file is not UTF-8.',
    path: [],
    hint,
  } as const;
  if (isUtf16) return problem;
  const readable = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const { line } = new Positions(readable).at(readable.indexOf('\ufffd'));
  return { ...problem, message: 'This line contains a byte that is not UTF-8.', line };
}
