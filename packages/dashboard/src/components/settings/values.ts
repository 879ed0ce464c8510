/** Converts instance settings between API values and the text of form fields. */
import type { InstanceSettings, SettingsPatch } from '@davit/api';
import { linesOf, readService, writeService } from './lists.ts';
import type { SettingField } from './section.ts';

const MIB = 1024 * 1024;

type Tree = { [name: string]: unknown };

function at(settings: InstanceSettings, path: string): unknown {
  return path.split('.').reduce<unknown>((tree, name) => (tree as Tree)[name], settings);
}

export function shown({ path, kind }: SettingField, settings: InstanceSettings): string {
  const value = at(settings, path);
  if (value === null || value === undefined) return '';
  if (kind === 'list') return (value as string[]).join('\n');
  if (kind === 'services') return (value as InstanceSettings['host_access']).map(writeService).join('\n');
  return kind === 'mib' ? String(Number(value) / MIB) : String(value);
}

/**
 * Converts the text of a form field for the API request. `null` resets the setting to its default. An invalid number is
 * sent unchanged, so that the server rejects it.
 */
export function sent({ kind }: SettingField, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (kind === 'list') return linesOf(trimmed);
  if (kind === 'services') return linesOf(trimmed).map(readService);
  if (kind === 'check') return trimmed === 'true';
  if (kind === 'text' || kind === 'pem') return trimmed;
  const number = Number(trimmed);
  if (Number.isNaN(number)) return trimmed;
  return kind === 'mib' ? Math.round(number * MIB) : number;
}

export type Draft = Record<string, string>;

export function draftOf(fields: readonly SettingField[], settings: InstanceSettings): Draft {
  return Object.fromEntries(fields.map((field) => [field.path, shown(field, settings)]));
}

/**
 * Returns the text of a form field, or the default if the form field is empty. An empty form field and the default are
 * therefore the same value.
 */
const meant = ({ usual }: SettingField, text: string | undefined) => text?.trim() || usual;

export function changedFields(fields: readonly SettingField[], before: Draft, now: Draft): SettingField[] {
  return fields.filter((field) => meant(field, before[field.path]) !== meant(field, now[field.path]));
}

export function patchOf(changed: readonly SettingField[], now: Draft): SettingsPatch {
  const patch: Tree = {};
  for (const field of changed) {
    const [group = '', name] = field.path.split('.');
    const value = sent(field, now[field.path] ?? '');
    if (name === undefined) patch[group] = value;
    else patch[group] = { ...(patch[group] as Tree | undefined), [name]: value };
  }
  // The values may have the wrong type, because users can enter any text. The server checks all values.
  return patch as SettingsPatch;
}

/** Returns sentences that describe the effects of the changed settings for users. Each sentence occurs only once. */
export function effectsOf(changed: readonly SettingField[], before: Draft, now: Draft): string[] {
  const said = changed.flatMap((field) => {
    const isLess = Number(meant(field, now[field.path])) < Number(meant(field, before[field.path]));
    const words = field.effect ?? (isLess ? field.whenLess : undefined);
    return words === undefined ? [] : [`${field.label}: ${words}`];
  });
  return [...new Set(said)];
}
