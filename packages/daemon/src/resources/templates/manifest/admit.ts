/**
 * Validates manifests strictly. A manifest is converted to a template file, and the validation of the file must return
 * an identical manifest.
 */
import { isDeepStrictEqual } from 'node:util';
import { DavitError } from '@davit/api';
import { CatalogManifest } from '@davit/api/catalog.ts';
import { quote } from '@davit/service';
import { checkTemplate, type Diagnostic, decodeTemplate, type Manifest } from '@davit/template';
import { draftOf } from './draft-of.ts';
import { isTree } from './same.ts';

const MOST_SHOWN = 5;

/**
 * Validates an untrusted value as a manifest.
 * @param from source of the value for errors, such as `The template that the catalog sent`
 * @throws DavitError template_invalid
 */
export function admitManifest(value: unknown, from: string): Manifest {
  const shaped = CatalogManifest.safeParse(value);
  if (!shaped.success) {
    const [issue] = shaped.error.issues;
    const where = issue?.path.join('.') ?? '';
    throw refused(
      `${from} is not a manifest: ${where === '' ? '' : `${quote(where)}: `}${issue?.message ?? 'it is empty'}.`,
    );
  }
  // Compare with the input `value`, because the validation has removed all unknown fields from `manifest`.
  const plain = JSON.parse(JSON.stringify(value)) as Manifest;
  const { manifest, diagnostics } = checkTemplate(JSON.stringify(draftOf(plain)));
  if (manifest === null) throw refused(`${from} is not valid: ${describeErrors(diagnostics)}`);
  const made = JSON.parse(JSON.stringify(manifest)) as Manifest;
  if (!isDeepStrictEqual(made, plain)) {
    throw refused(
      `${from} is not valid: no template file can result in the value at ${quote(difference(made, plain))}.`,
    );
  }
  return made;
}

/**
 * Validates the text of a template file and returns its manifest.
 * @throws DavitError template_invalid with the problems of the file
 */
export function admitFile(text: string, from: string): Manifest {
  const { manifest, diagnostics } = checkTemplate(text);
  if (manifest === null) throw refused(`${from} is not a valid template: ${describeErrors(diagnostics)}`);
  return JSON.parse(JSON.stringify(manifest)) as Manifest;
}

/**
 * Decodes and validates the bytes of a template file and returns its manifest.
 * @throws DavitError template_invalid with the problems of the file
 */
export function admitBytes(bytes: Uint8Array, from: string): Manifest {
  const decoded = decodeTemplate(bytes);
  if ('problem' in decoded) throw refused(`${from} is not a valid template: ${describeErrors([decoded.problem])}`);
  return admitFile(decoded.text, from);
}

function describeErrors(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const words = errors.slice(0, MOST_SHOWN).map(({ message, path }) => {
    const where = path.join('.');
    return where === '' ? message : `${quote(where)}: ${message}`;
  });
  const more = errors.length - words.length;
  return `${words.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`;
}

/** Returns the path of the first difference between two values, for example `apps.0.image`. */
function difference(made: unknown, value: unknown, path: readonly string[] = []): string {
  if (isTree(made) && isTree(value)) {
    const keys = new Set([...Object.keys(value), ...Object.keys(made)]);
    for (const key of keys) {
      const [a, b] = [made[key], value[key]];
      if (!isDeepStrictEqual(a, b)) return difference(a, b, [...path, key]);
    }
  }
  return path.join('.');
}

function refused(message: string): DavitError {
  return new DavitError('template_invalid', message);
}
