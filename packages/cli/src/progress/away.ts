/** Told to who follows something while the instance is restarted, or gone. */
export const AWAY = 'The instance does not answer. Waiting for it… Press Ctrl-C to stop waiting.';
