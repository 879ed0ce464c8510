import type { SourceNode } from '../document.ts';
import type { Findings, SourceLocation } from '../findings.ts';
import { VARIABLE } from '../schema/forms.ts';
import { invalidType } from './scalar.ts';
import { checkForm } from './text.ts';

/**
 * Checks the environment variables in a template. A value can have any type except `null`. Returns each value as
 * unchanged text. Otherwise, `1.50` would become `1.5`.
 */
export function checkVariables(node: SourceNode, location: SourceLocation, findings: Findings): unknown {
  if (node.kind !== 'map') return invalidType(node, 'a mapping', location, findings);
  const values = node.entries.map(({ key, keyPosition, value }): [string, string] => {
    const at = { path: [...location.path, key], position: keyPosition };
    if (!checkForm(key, VARIABLE, at, findings)) return [key, ''];
    if (value.kind === 'scalar' && value.tag !== 'null') return [key, value.text];
    const hint = () => (value.kind === 'scalar' ? `Write \`${key}: ""\` for an empty value.` : undefined);
    invalidType(value, 'a single value', at, findings, hint);
    return [key, ''];
  });
  // `Object.fromEntries` creates a normal property even if an environment variable is named `__proto__`.
  return Object.fromEntries(values);
}
