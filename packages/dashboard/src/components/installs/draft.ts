import { DavitError, type InstallProblem } from '@davit/api';
import type { Args } from '../../api.ts';
import { type Answers, isGenerated, type Manifest, neededInputs } from '../templates/manifest.ts';

export type ThingKind = 'databases' | 'object_stores' | 'apps';

export interface InstallDraft {
  project: string;
  environment: string;
  /** Names of the resources by kind and key. Only names that differ from the template are present. */
  names: Record<ThingKind, Record<string, string>>;
  /** Typed input values by the key of the template input. */
  inputs: Record<string, string>;
  keepFailed: boolean;
  /** References of existing databases to adopt, by the key of the database in the template. */
  adopt: Record<string, string>;
  /** Whether new apps adopt volumes that deleted apps with the same reference left. */
  adoptVolumes: boolean;
}

export type InstallBody = NonNullable<Args<'installTemplate'>['body']>;

/** Returns the default of a template input as text. Large numbers are written without an exponent. */
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

/**
 * Returns the install form for another release of the template. Typed values stay for inputs that both releases have.
 */
export function carriedOver(before: InstallDraft, manifest: Manifest): InstallDraft {
  const fresh = emptyDraft(manifest);
  const known = Object.entries(before.inputs).filter(([key, text]) => Object.hasOwn(fresh.inputs, key) && text !== '');
  return { ...before, inputs: { ...fresh.inputs, ...Object.fromEntries(known) } };
}

/**
 * Converts the install form into a request body. Unchanged defaults are omitted, because the server applies defaults
 * and generates secrets.
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

/** Returns the server's error message for a field of the install form, or `null` if there is none. */
export function problemOf(problems: readonly InstallProblem[], field: string): string | null {
  return problems.find((problem) => problem.field === field)?.message ?? null;
}

/** Returns the problems of the install form whose field is not shown. */
export function problemsBeside(problems: readonly InstallProblem[], fields: readonly string[]): InstallProblem[] {
  return problems.filter(({ field }) => !fields.includes(field));
}

/**
 * Returns the template inputs that the install form shows. An input is shown if its value has an effect, or if it has
 * a problem.
 */
export function inputsShown(manifest: Manifest, answers: Answers, problems: readonly InstallProblem[]) {
  const needed = neededInputs(manifest, answers);
  return manifest.inputs.filter(({ key }) => needed.has(key) || problemOf(problems, `inputs.${key}`) !== null);
}

/**
 * Converts an error of the server into problems of the install form. A field that is not shown becomes a general
 * problem, with the field's name in the message.
 */
export function problemsIn(error: Error, fields: readonly string[]): InstallProblem[] {
  const known = error instanceof DavitError ? error.fields : [];
  if (known.length === 0) return [{ field: '', code: 'invalid', message: error.message }];
  return known.map(({ path, code, message }) =>
    fields.includes(path) ? { field: path, code, message } : { field: '', code, message: `${path}: ${message}` },
  );
}
