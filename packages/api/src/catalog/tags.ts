/**
 * Tags that group the operations of the catalog API in its OpenAPI document. Each tag has a description in one
 * sentence.
 */
export const CATALOG_TAGS = {
  Templates: 'Templates, their releases, topics and icons, and the check of a template.',
  Catalog: 'Health, metrics and API documentation of the catalog.',
} as const;
export type CatalogTag = keyof typeof CATALOG_TAGS;
