/** What the API's document and the metrics say. */
export const VERSION = '0.1.0';
