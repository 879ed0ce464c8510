/** Version of the catalog in its API description and its metrics. */
export const VERSION = '0.1.0';
