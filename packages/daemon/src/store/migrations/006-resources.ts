export const resources = '';
