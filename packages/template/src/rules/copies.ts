/** How many copies of an app there can be. */
export const FEWEST_COPIES = 1;
export const MOST_COPIES = 100;
