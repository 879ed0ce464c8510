/** What was pushed here. */
export const pushes = '';
