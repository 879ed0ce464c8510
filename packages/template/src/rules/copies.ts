/** Minimum and maximum number of replicas of an app. */
export const FEWEST_COPIES = 1;
export const MOST_COPIES = 100;
