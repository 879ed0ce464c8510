/** Version of the catalog. The OpenAPI document and the metrics contain it. */
export const VERSION = '0.1.0';
