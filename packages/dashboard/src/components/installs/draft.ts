/** Defines the values of the install form and converts them into the request. */
import { DavitError, type InstallProblem } from '@davit/api';
import type { Args } from '../../api.ts';
import { type Answers, isGenerated, type Manifest, neededInputs } from '../templates/manifest.ts';

export type ThingKind = 'databases' | 'object_stores' | 'apps';

export interface InstallDraft {
  project: string;
  environment: string;
  /** Names by kind and key, if they differ from the template's names. */
  names: Record<ThingKind, Record<string, string>>;
  /** Typed inputs by key. */
  inputs: Record<string, string>;
  keepFailed: boolean;
  /** References of existing databases to adopt, by the key of the template's database. */
  adopt: Record<string, string>;
  /** Whether to adopt volumes that earlier apps with the same references left. */
  adoptVolumes: boolean;
}

export type InstallBody = NonNullable<Args<'installTemplate'>['body']>;

/** Returns the default of an input. Numbers are written without an exponent. */
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
    names: { databases: {}, object_stores: {}, apps: {} },
    inputs: Object.fromEntries(manifest.inputs.map((input) => [input.key, suggested(input)])),
    keepFailed: false,
    adopt: {},
    adoptVolumes: false,
  };
}

/** Returns the draft for another release. Inputs that both releases have keep their typed values. */
export function carriedOver(before: InstallDraft, manifest: Manifest): InstallDraft {
  const fresh = emptyDraft(manifest);
  const known = Object.entries(before.inputs).filter(([key, text]) => Object.hasOwn(fresh.inputs, key) && text !== '');
  return { ...before, inputs: { ...fresh.inputs, ...Object.fromEntries(known) } };
}

/**
 * Returns the request body. An unchanged default is not sent, because the instance applies defaults and generates
 * secrets itself.
 */
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
    names: { databases: typed(names.databases), object_stores: typed(names.object_stores), apps: typed(names.apps) },
    adopt: { databases: typed(adopt), volumes: adoptVolumes },
  };
}

function typed(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

/** Returns the problem of a field according to the instance, or `null` if there is none. */
export function problemOf(problems: readonly InstallProblem[], field: string): string | null {
  return problems.find((problem) => problem.field === field)?.message ?? null;
}

/** Returns the problems that belong to no shown field. */
export function problemsBeside(problems: readonly InstallProblem[], fields: readonly string[]): InstallProblem[] {
  return problems.filter(({ field }) => !fields.includes(field));
}

/** Returns the inputs that the form shows: those that have an effect and those with a problem. */
export function inputsShown(manifest: Manifest, answers: Answers, problems: readonly InstallProblem[]) {
  const needed = neededInputs(manifest, answers);
  return manifest.inputs.filter(({ key }) => needed.has(key) || problemOf(problems, `inputs.${key}`) !== null);
}

/**
 * Returns the problems of a refusal. A problem of a field that is not shown becomes a general problem, with the field's
 * name in its message.
 */
export function problemsIn(error: Error, fields: readonly string[]): InstallProblem[] {
  const known = error instanceof DavitError ? error.fields : [];
  if (known.length === 0) return [{ field: '', code: 'invalid', message: error.message }];
  return known.map(({ path, code, message }) =>
    fields.includes(path) ? { field: path, code, message } : { field: '', code, message: `${path}: ${message}` },
  );
}
