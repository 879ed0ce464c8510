/** The product's version: what `GET /instance`, the document and the command say. */
export const VERSION = '0.1.0';
