/** Version of Davit, shown by `GET /instance`, the API description and the command line. */
export const VERSION = '0.1.0';
