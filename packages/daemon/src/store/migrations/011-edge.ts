/** What a domain does besides leading to an app. */
export const edge = '';
