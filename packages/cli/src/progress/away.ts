/** Message for a command that follows progress while the instance is unavailable. */
export const AWAY = 'The instance does not answer. Waiting for it… Press Ctrl-C to stop waiting.';
