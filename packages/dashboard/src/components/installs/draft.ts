/** An install as it is typed, and what is sent of it. */
import { DavitError, type InstallProblem } from '@davit/api';
import type { Args } from '../../api.ts';
import { type Answers, isGenerated, type Manifest, neededInputs } from '../templates/manifest.ts';

export type ThingKind = 'databases' | 'stores' | 'apps';

export interface InstallDraft {
  project: string;
  environment: string;
  /** By kind and key, where the template's own name is not taken. */
  names: Record<ThingKind, Record<string, string>>;
  /** By key, as typed. */
  inputs: Record<string, string>;
  keepFailed: boolean;
  /** Databases by key to what they are in place of: a reference. */
  adopt: Record<string, string>;
  /** Take up volumes that apps of the same references have left. */
  adoptVolumes: boolean;
}

export type InstallBody = NonNullable<Args<'installTemplate'>['body']>;

/** What is suggested for an input; a number as one writes it. */
export function suggested({ default: usual }: Manifest['inputs'][number]): string {
  if (usual === undefined) return '';
  if (typeof usual === 'string') return usual;
  return Number.isInteger(usual) ? BigInt(usual).toString() : String(usual);
}

export function emptyDraft(
  manifest: Manifest,
  place: { project?: string | null; environment?: string | null } = {},
): InstallDraft {
  return {
    project: place.project || manifest.project,
    environment: place.environment || manifest.environment,
    names: { databases: {}, stores: {}, apps: {} },
    inputs: Object.fromEntries(manifest.inputs.map((input) => [input.key, suggested(input)])),
    keepFailed: false,
    adopt: {},
    adoptVolumes: false,
  };
}

/** Another release asks other things: what was typed for those that both have stays. */
export function carriedOver(before: InstallDraft, manifest: Manifest): InstallDraft {
  const fresh = emptyDraft(manifest);
  const known = Object.entries(before.inputs).filter(([key, text]) => Object.hasOwn(fresh.inputs, key) && text !== '');
  return { ...before, inputs: { ...fresh.inputs, ...Object.fromEntries(known) } };
}

/** A suggestion that was left alone is not sent: the instance knows it, and what a secret is made of. */
export function bodyOf(draft: InstallDraft, manifest: Manifest): InstallBody {
  const needed = neededInputs(manifest, draft.inputs);
  const sent = manifest.inputs.filter((input) => {
    const text = draft.inputs[input.key] ?? '';
    if (!needed.has(input.key) || (isGenerated(input) && text === '')) return false;
    return text !== suggested(input);
  });
  const { project, environment, names, keepFailed, adopt, adoptVolumes } = draft;
  return {
    ...{ project, environment, keep_failed: keepFailed },
    inputs: Object.fromEntries(sent.map(({ key }) => [key, draft.inputs[key] ?? ''])),
    names: { databases: typed(names.databases), stores: typed(names.stores), apps: typed(names.apps) },
    adopt: { databases: typed(adopt), volumes: adoptVolumes },
  };
}

function typed(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

/** What is wrong with a field, by what the instance says of the whole; null: nothing. */
export function problemOf(problems: readonly InstallProblem[], field: string): string | null {
  return problems.find((problem) => problem.field === field)?.message ?? null;
}

/** What is wrong and is about no field that is shown. */
export function problemsBeside(problems: readonly InstallProblem[], fields: readonly string[]): InstallProblem[] {
  return problems.filter(({ field }) => !fields.includes(field));
}

/** The fields that a form shows: those that matter, and those that something is wrong with. */
export function inputsShown(manifest: Manifest, answers: Answers, problems: readonly InstallProblem[]) {
  const needed = neededInputs(manifest, answers);
  return manifest.inputs.filter(({ key }) => needed.has(key) || problemOf(problems, `inputs.${key}`) !== null);
}

/** What a refusal is about: each of the fields that are shown, or the whole, where its sentence names the field. */
export function problemsIn(error: Error, fields: readonly string[]): InstallProblem[] {
  const known = error instanceof DavitError ? error.fields : [];
  if (known.length === 0) return [{ field: '', code: 'invalid', message: error.message }];
  return known.map(({ path, code, message }) =>
    fields.includes(path) ? { field: path, code, message } : { field: '', code, message: `${path}: ${message}` },
  );
}
