/** Version of the catalog, for the OpenAPI document and the metrics. */
export const VERSION = '0.1.0';
