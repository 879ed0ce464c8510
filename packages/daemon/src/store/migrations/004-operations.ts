export const operations = '';
