export const accounts = '';
