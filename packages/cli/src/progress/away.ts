/** Told to who follows something while the instance is restarted, or gone. */
export const AWAY = 'The instance does not answer: this goes on when it does. Ctrl-C leaves.';
