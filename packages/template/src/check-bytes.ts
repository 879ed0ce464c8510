import { type Checked, checkTemplate } from './check.ts';
import { decodeTemplate } from './decode.ts';

/** Checks the bytes of a template file. Invalid UTF-8 is reported as a problem. Never throws. */
export function checkTemplateBytes(bytes: Uint8Array): Checked & { text: string } {
  const decoded = decodeTemplate(bytes);
  if ('text' in decoded) return { ...checkTemplate(decoded.text), text: decoded.text };
  return { manifest: null, diagnostics: [decoded.problem], text: new TextDecoder().decode(bytes) };
}
