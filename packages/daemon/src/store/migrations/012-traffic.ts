/** What was asked of apps. */
export const traffic = '';
