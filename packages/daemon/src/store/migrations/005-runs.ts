export const runs = '';
