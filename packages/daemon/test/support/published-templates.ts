/**
 * Templates that were published for the older format, with sample inputs. The templates are fixtures of the validator,
 * whose folder documents their origin.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTemplate, type Manifest, type ManifestInput } from '@davit/template';

const FOLDER = join(import.meta.dirname, '../../../template/fixtures/published');

export interface Published {
  name: string;
  file: string;
  manifest: Manifest;
}

export const PUBLISHED: readonly Published[] = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => {
    const file = readFileSync(join(FOLDER, name, 'template.yaml'), 'utf8');
    const { manifest } = checkTemplate(file);
    assert.ok(manifest, name);
    return { name, file, manifest };
  });

/** Returns whether all apps of the template use images; other templates build apps from source. */
export const isOfImages = ({ manifest }: Published) => manifest.apps.every(({ source }) => source.type === 'image');

/** Returns values for required inputs without a default or a generator. */
export function answersTo({ name, manifest }: Published): Record<string, string> {
  const requiredInputs = manifest.inputs.filter((input) => input.required && input.default === undefined);
  return Object.fromEntries(
    requiredInputs.filter(({ generate }) => generate === undefined).map((input) => [input.key, answerTo(input, name)]),
  );
}

function answerTo({ key, type, options = [], min = 1, pattern = '' }: ManifestInput, name: string): string {
  switch (type) {
    case 'domain':
      return `${key.toLowerCase()}.${name}.example.com`;
    case 'number':
      return String(min);
    case 'choice':
      return options[0] ?? '';
    case 'secret':
      return 'a-secret-of-thirty-two-characters';
    default:
      return pattern.includes('http') ? 'https://www.example.com' : 'someone@example.com';
  }
}
