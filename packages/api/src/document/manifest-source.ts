import { withComponents } from './enumerations.ts';
import { isObject, type OpenApi, referenceTo, type Schema } from './schema.ts';

/** Path to the schema of an app's source inside the component `Manifest`. */
const PATH = ['properties', 'apps', 'items', 'properties', 'source'];

/** Names for the alternative schemas of an app's source, in the same order as in `CatalogManifest`. */
const ALTERNATIVES = ['ManifestImage', 'ManifestBuild'];

/**
 * Returns the OpenAPI document with named components for the schemas of an app's source. The original schemas have no
 * names, because names would change the published OpenAPI document of the catalog.
 * @throws Error if the schema of the manifest has another structure
 */
export function nameManifestSource(document: OpenApi): OpenApi {
  const added = new Map<string, Schema>();
  const manifest = changeAt(document.components.schemas.Manifest, PATH, ({ anyOf, ...others }) => {
    const found = Array.isArray(anyOf) ? anyOf.filter(isObject) : [];
    if (found.length !== ALTERNATIVES.length) throw new Error('name sources of the manifest: unexpected alternatives');
    found.forEach((schema, i) => {
      added.set(ALTERNATIVES[i] ?? '', schema);
    });
    added.set('ManifestSource', {
      ...others,
      description: 'Source of an app of a template: an image, or a Git repository with the code of the app.',
      anyOf: ALTERNATIVES.map(referenceTo),
    });
    return referenceTo('ManifestSource');
  });
  const schemas = { ...document.components.schemas, Manifest: manifest };
  return withComponents({ ...document, components: { ...document.components, schemas } }, added);
}

function changeAt(schema: unknown, path: readonly string[], change: (schema: Schema) => Schema): Schema {
  if (!isObject(schema)) throw new Error(`name sources of the manifest: no schema before ${path.join('.')}`);
  const [key, ...rest] = path;
  return key === undefined ? change(schema) : { ...schema, [key]: changeAt(schema[key], rest, change) };
}
