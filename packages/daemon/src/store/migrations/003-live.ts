export const live = '';
