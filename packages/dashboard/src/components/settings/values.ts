/** Converts settings between the API's answer and the text of a field. */
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
 * Returns the value for the request. `null` resets to the default. Text that is not a number is sent unchanged, and the
 * instance refuses it with a reason.
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

/** Returns the effective text. Empty text means the default, so typing the default or clearing it is no change. */
const meant = ({ usual }: SettingField, text: string | undefined) => text?.trim() || usual;

export function changedFields(fields: readonly SettingField[], before: Draft, now: Draft): SettingField[] {
  return fields.filter((field) => meant(field, before[field.path]) !== meant(field, now[field.path]));
}

/** Returns a JSON merge patch with only the changed fields. */
export function patchOf(changed: readonly SettingField[], now: Draft): SettingsPatch {
  const patch: Tree = {};
  for (const field of changed) {
    const [group = '', name] = field.path.split('.');
    const value = sent(field, now[field.path] ?? '');
    if (name === undefined) patch[group] = value;
    else patch[group] = { ...(patch[group] as Tree | undefined), [name]: value };
  }
  // Typed values may be invalid. The instance checks them.
  return patch as SettingsPatch;
}

/** Returns the effects of a change as sentences without duplicates. */
export function effectsOf(changed: readonly SettingField[], before: Draft, now: Draft): string[] {
  const said = changed.flatMap((field) => {
    const isLess = Number(meant(field, now[field.path])) < Number(meant(field, before[field.path]));
    const words = field.effect ?? (isLess ? field.whenLess : undefined);
    return words === undefined ? [] : [`${field.label}: ${words}`];
  });
  return [...new Set(said)];
}
