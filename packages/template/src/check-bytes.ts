import { type Checked, checkTemplate } from './check.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Checks a template as its file has it: what is not UTF-8 is told as such. Never throws. */
export function checkTemplateBytes(bytes: Uint8Array): Checked & { text: string } {
  const text = textOf(bytes);
  if (text !== null) return { ...checkTemplate(text), text };
  const message = 'The file is not UTF-8 text.';
  const hint = 'Save it as UTF-8 and check it again.';
  const diagnostics = [{ severity: 'error', code: 'yaml.encoding', message, path: [], hint } as const];
  return { manifest: null, diagnostics, text: new TextDecoder().decode(bytes) };
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    // The decoder says nothing of where, and there is nothing else that it throws for.
    return null;
  }
}
